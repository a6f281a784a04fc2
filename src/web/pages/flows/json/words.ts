/** Places in a definition, and what is proposed for them. */
export const words = {
  block: (id: string) => `block ${id}`,
  trigger: (number: number) => `trigger ${number}`,
  port: (port: string) => `on ${port}`,
  defaultValue: 'default',
} as const;
