/** The editor of an External Request. */
export const words = {
  method: 'Method',
  url: 'URL',
};
