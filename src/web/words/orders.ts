/** Orders, wherever they stand. */
export const orderWords = {
  one: (number: string) => `Order ${number}`,
  number: 'Order',
  status: 'Status',
  total: 'Total',
  placed: 'Placed',
} as const;
