/** The draft of a flow while it is changed. */
export const words = {
  /** How steps are called that nobody else names. */
  steps: {
    json: 'Edit JSON',
    theirs: (part: string) => `Use theirs: ${part}`,
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
  conflict: (count: number) =>
    count === 1 ? 'Someone else changed the same block' : `Someone else changed the same ${count} parts`,
  conflictHint: 'Nothing is saved until you choose a version. Your changes are kept here.',
  compare: 'Choose versions',
  conflictTitle: 'Choose a version',
  mine: 'Your version',
  theirs: 'Their version',
  keepMine: 'Keep mine',
  takeTheirs: 'Use theirs',
  leaveTitle: 'Leave without saving?',
  leaveText: 'Your changes to the draft are not saved.',
  leave: 'Leave',
  stay: 'Stay',
};
