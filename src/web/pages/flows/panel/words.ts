/** The panel of a block. */
export const words = {
  change: (id: string) => `Change ${id}`,
  name: 'Name of the block',
  id: 'ID of the block',
  isStart: 'starts the flow',
  makeStart: 'Start here',
  showJson: 'Show JSON',
  more: 'More actions for this block',
  tabs: { form: 'Form', json: 'JSON' },
  json: {
    label: (id: string) => `${id} as JSON`,
    problem: 'Not applied: this is not a JSON object.',
    noId: 'Not applied: the block needs an ID that no other block has.',
  },
  ports: {
    title: 'Next steps',
    of: (port: string) => `On ${port}`,
    connect: (port: string) => `Connect ${port}`,
    following: (block: string) => `Next in the list: ${block}`,
    end: 'End of the flow (last in the list)',
    fails: 'Run fails',
    unset: 'Not connected',
    none: 'Remove',
    unknown: '(unknown port)',
    completes: 'End of the flow',
    missing: (block: string) => `“${block}” does not exist`,
  },
};
