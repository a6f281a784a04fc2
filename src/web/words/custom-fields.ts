/** Values of custom fields. */
export const customFieldWords = {
  yes: 'Yes',
  no: 'No',
} as const;
