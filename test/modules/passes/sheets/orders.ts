import type { SheetCell, SheetOrder } from '@/modules/passes/sheets/render'

/** Names in every script that sheets promise, and what people do to them. */
export const NAMES = [
  ...['Ada Lovelace', 'Nguyễn Thị Minh Khai', 'İbrahim Çağlar Şahin', 'Ẹ̀bùn Ọlọ́runtóbi', 'O’Brien-Smythe'],
  ...['Αλέξανδρος Παπαδόπουλος', 'Анна Каренина', 'محمد عبد الله الفارسي', 'דוד בן גוריון'],
  ...['श्रीमती क्षितिजा त्रिवेदी', 'กิตติศักดิ์ น้ำเพชร', '王小明', '山田 太郎さん', '김민준', '陳 Sarah (سارة)'],
  ...['শ্রীমতী মৌসুমী ভট্টাচার্য', 'ક્ષિતિજ ત્રિવેદી', 'ஸ்ரீனிவாசன் கிருஷ்ணன்', 'శ్రీనివాస్ కృష్ణమూర్తి'],
  ...['Արամ Խաչատրյան', 'ნინო ქავთარაძე', 'ኃይለ ገብረ ሥላሴ', 'Ada ভট্টাচার্য'],
  'Maximiliane Freifrau von Hohenzollern-Sigmaringen',
]

export const LONG_NAMES = [
  'x'.repeat(200),
  'W'.repeat(200),
  'محمدعبداللهالفارسي'.repeat(12).slice(0, 200),
  'กรุงเทพมหานคร'.repeat(15),
  '我'.repeat(200),
  'Wolfeschlegelsteinhausenbergerdorff '.repeat(5),
  'ĝ́̂̃'.repeat(100),
]

export const cellOf = (name: string | null, index: number): SheetCell => ({
  name,
  url: `HTTPS://MEET.EXAMPLE.ORG/PASS/${(index * 7919 + 1e12).toString(36).toUpperCase().padStart(16, 'A')}`,
  code: `ABCD-EFGH-2345-${1000 + index}`,
  line: index % 2 === 0 ? null : 'Prague Gophers',
})

export const orderOf = (names: readonly (string | null)[], some: Partial<SheetOrder> = {}): SheetOrder => ({
  ...{ kind: 'badges', paper: 'a4', startAt: 1 },
  ...{ title: 'Spring Meetup of Open Communities', subtitle: 'Prague Gophers · Friday, 4 June 2027' },
  siteName: 'Meet Example',
  cells: names.map(cellOf),
  ...some,
})

export const untold = async () => {}
