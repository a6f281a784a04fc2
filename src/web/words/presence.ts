/** Who else has the same page open. */
export const presenceWords = {
  you: 'You have this open in another tab',
  here: (name: string) => `${name} is here`,
  editing: (name: string, part: string) => `${name} is editing "${part}"`,
  more: (others: number) => `${others} more ${others === 1 ? 'user is' : 'users are'} here`,
} as const;
