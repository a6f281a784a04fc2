/** The draft of a flow while it is changed. */
export const words = {
  /** How steps are called that nobody else names. */
  steps: {
    json: 'Edit JSON',
    theirs: (part: string) => `Use theirs: ${part}`,
    both: (part: string) => `Keep both: ${part}`,
    kept: 'Restore unsaved changes',
  },
  saving: {
    saved: 'Saved',
    saving: 'Saving …',
    offline: 'Offline (kept here)',
    offlineNotKept: 'Offline, not saved',
    conflict: 'Conflict',
    no_json: 'Not saved: no valid JSON',
    refused: 'Not saved',
    ended: 'Signed out',
  },
  state: 'State of the draft',
  refusedHint: 'The server refused this draft. Your changes are kept here.',
  conflict: (count: number, isOwn: boolean) =>
    `${isOwn ? 'You, in another tab,' : 'Someone else'} changed the same ${count === 1 ? 'block' : `${count} parts`}`,
  conflictHint: 'Nothing is saved until you choose a version. Your changes are kept here.',
  compare: 'Choose versions',
  conflictTitle: 'Choose a version',
  mine: (isOwn: boolean) => (isOwn ? 'This tab' : 'Your version'),
  theirs: (isOwn: boolean) => (isOwn ? 'Your other tab' : 'Their version'),
  keepMine: (isOwn: boolean) => (isOwn ? 'Keep this tab' : 'Keep mine'),
  takeTheirs: (isOwn: boolean) => (isOwn ? 'Use other tab' : 'Use theirs'),
  keepBoth: 'Keep both',
  bothHint: '“Keep both” adds your version as a second block with a new ID.',
  leaveTitle: 'Leave without saving?',
  leaveText: 'Your changes to the draft are not saved.',
  leave: 'Leave',
  stay: 'Stay',
};
