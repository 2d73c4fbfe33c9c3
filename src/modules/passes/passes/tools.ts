import { toolbox } from '@/mcp/tool'
import { changePass, listPasses } from './actions'

export const passesTools = toolbox({
  meetpass_list: [
    listPasses,
    {
      title: 'List my passes',
      description: 'Lists the QR pass and the NFC tags of the person, with their settings.',
    },
  ],
  meetpass_update: [
    changePass,
    {
      title: 'Change a pass',
      idempotent: true,
      destructive: true,
      description:
        'Changes label, design or settings of a pass by its id from meetpass_list. With isActive 0 whoever taps it is told that it is not in use; with autoFollow 1 everyone who taps it follows the person: ask first. Example: {"id":"…","label":"Badge"}.',
    },
  ],
})
