/** The panel of a block. */
export const words = {
  change: (id: string) => `Change ${id}`,
  name: 'Name of the block',
  id: 'ID of the block',
  ownId: {
    none: 'This block has no ID',
    taken: (id: string) => `Another block has the ID “${id}”`,
    hint: 'No wire can lead here, and the flow cannot be published.',
    give: 'Assign another ID',
  },
  isStart: 'starts the flow',
  makeStart: 'Start here',
  tryFrom: 'Try from here',
  showJson: 'Show JSON',
  more: 'More actions for this block',
  tabs: { form: 'Form', json: 'JSON' },
  json: {
    label: (id: string) => `${id} as JSON`,
    problem: 'Not applied: this is not a JSON object.',
    noId: 'Not applied: the block needs an ID that no other block has.',
  },
  sample: {
    title: 'Sample values',
    hint: 'Proposed placeholders show the values of this contact.',
    none: 'None',
  },
  ports: {
    title: 'Next steps',
    /** The canvas calls the only way on “next”, too. */
    of: (port: string) => `On ${port === 'default' ? 'next' : port}`,
    connect: (port: string) => `Connect ${port}`,
    following: (block: string) => `Next in the list: ${block}`,
    end: 'End of the flow (last in the list)',
    fails: 'Run fails',
    unset: 'Not connected',
    none: 'Remove',
    unknown: '(unknown port)',
    completes: 'End of the flow',
    newBlock: 'New block …',
    addAt: (port: string) => `Add a block on ${port === 'default' ? 'next' : port}`,
    missing: (block: string) => `“${block}” does not exist`,
  },
};
