import type { LeaderboardEntry, LeaderboardMover } from '@/modules/recognition/leaderboards/schema'
import { medal, written } from '@/site/parts/medal'
import { face } from '@/site/parts/person'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

const BADGES_SHOWN = 5

export const boardTable = (entries: readonly LeaderboardEntry[], total: number, words: Words): Html => {
  const said = words.recognition.board
  return html`<table class="board numbers"><caption class="quiet small">${said.people(total, written(total, words))}</caption>
<thead><tr><th scope="col">${said.place}</th><th scope="col">${said.name}</th><th scope="col" class="roomy">${said.badgesOf}</th><th scope="col" class="sum">${said.score}</th></tr></thead>
<tbody>${entries.map(
    ({ rank, badges, score, ...person }) =>
      html`<tr id="place-${rank}"${rank <= 3 && html` class="first"`}><td><span class="place">${written(rank, words)}</span></td><th scope="row">${nameOf(person)}</th><td class="roomy">${badges
        .slice(0, BADGES_SHOWN)
        .map(
          ({ name, slug, icon, color }) =>
            html`<a class="worn" href="/badges/${slug}" title="${name}" aria-label="${name}">${medal({ slug, icon, color }, 'small')}</a>`,
        )}</td><td class="sum">${written(score, words)}</td></tr>
`,
  )}</tbody></table>`
}

export const moversTable = (movers: readonly LeaderboardMover[], words: Words): Html => {
  const said = words.recognition.board
  return html`<table class="board numbers"><thead><tr><th scope="col">${said.place}</th><th scope="col">${said.name}</th><th scope="col">${said.change}</th><th scope="col" class="sum">${said.gained}</th></tr></thead>
<tbody>${movers.map(
    (mover) =>
      html`<tr><td><span class="place">${written(mover.currentRank, words)}</span></td><th scope="row">${nameOf(mover)}</th><td>${changeOf(mover, words)}</td><td class="sum">+${written(mover.xpGained, words)}</td></tr>
`,
  )}</tbody></table>`
}

type Person = { username: string; name: string | null; avatarUrl: string | null }

/** The hue comes from the name, because boards have no ids. */
const nameOf = ({ username, name, avatarUrl }: Person): Html =>
  html`<a class="person" href="/u/${username}">${face({ id: username, name: name ?? username, avatarUrl }, 'small')}<span dir="auto">${name ?? username}</span></a>`

function changeOf({ rankChange, previousRank }: LeaderboardMover, { recognition: { board } }: Words): Html {
  if (previousRank === null || rankChange === null) return html`<span class="mark">${board.new}</span>`
  if (rankChange === 0) return html`<span class="quiet" role="img" aria-label="${board.same}">–</span>`
  const places = Math.abs(rankChange)
  return rankChange > 0
    ? html`<span class="up" role="img" aria-label="${board.up(places)}">▲ ${places}</span>`
    : html`<span class="down" role="img" aria-label="${board.down(places)}">▼ ${places}</span>`
}
