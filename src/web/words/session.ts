/** New passwords. */
export const sessionWords = {
  newPassword: 'New password',
  passwordRule: (least: number) =>
    `At least ${least} characters. A few words in a row are easy to remember and hard to guess.`,
} as const;
