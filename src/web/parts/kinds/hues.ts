/** The colours of people and of kinds of things, which `look/colors.css` has; statuses have others. */
export const hues = ['teal', 'iris', 'blue', 'green', 'amber', 'coral', 'pink', 'slate'] as const;

export type Hue = (typeof hues)[number];
