/** The builder as a whole. */
export const words = {
  toolbar: 'The draft',
  undoes: 'Undo',
  redoes: 'Redo',
  undo: (label: string) => `Undo: ${label}`,
  redo: (label: string) => `Redo: ${label}`,
  nothingToUndo: 'Nothing to undo',
  nothingToRedo: 'Nothing to redo',
  view: 'Show blocks as',
  views: { drawing: 'Drawing', list: 'List' },
  openStart: 'Edit triggers',
  showNumbers: 'Show numbers',
  hideNumbers: 'Hide numbers',
  openPhone: 'Try it',
  closePhone: 'Close phone',
};
