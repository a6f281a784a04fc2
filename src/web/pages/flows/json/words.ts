/** Places in a definition. */
export const words = {
  block: (id: string) => `block ${id}`,
  trigger: (number: number) => `trigger ${number}`,
  port: (port: string) => `on ${port}`,
} as const;
