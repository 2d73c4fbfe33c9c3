import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'webhook-follows-redirects',
    file: 'src/outbound/dial.ts',
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    means: 'Whoever runs a receiver sends us to addresses inside.',
    tests: ['test/attacks/outbound.test.ts'],
  },
  {
    name: 'tls-without-name',
    file: 'src/outbound/dial.ts',
    find: 'tls: { serverName: url.hostname },',
    replace: '',
    means: 'A receiver behind a name cannot be reached, or anyone with any certificate is taken for it.',
    tests: ['test/attacks/outbound.test.ts'],
  },
  {
    name: 'proxy-of-environment',
    file: 'src/outbound/dial.ts',
    find: 'proxy: false,',
    replace: '',
    means: 'A proxy of the machine decides where a webhook goes.',
    tests: ['test/attacks/outbound.test.ts'],
  },
  {
    name: 'provider-follows-redirects',
    file: 'src/modules/access/sign-in/providers/client.ts',
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    means: 'A provider that was taken over sends us, and the secret with us, anywhere.',
    tests: [
      'test/modules/access/sign-in/openid.test.ts',
      'test/modules/access/sign-in/others.test.ts',
      'test/attacks/sign-in.test.ts',
    ],
  },
]
