/** A flow as documentation and demo show it: it asks for a size, asks a shop how many are left, and tells the contact. */
export const exampleFlow = (shopUrl = 'https://shop.example') => ({
  schema_version: 1,
  start: 'ask_size',
  triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }],
  blocks: [
    {
      id: 'ask_size',
      type: 'ask',
      prompt: 'Which size?',
      expects: 'choice',
      choices: ['S', 'M', 'L'],
      save_to: 'size',
      next: { invalid: null, timeout: null },
    },
    {
      id: 'stock',
      type: 'external_request',
      method: 'GET',
      url: `${shopUrl}/stock/{{size}}`,
      mapping: [{ path: '$.items[0].left', field: 'left', on_missing: 'error' }],
      next: { error: null, timeout: null },
    },
    { id: 'answer', type: 'send', messages: [{ text: 'We have {{left}} of them.' }] },
    { id: 'done', type: 'end' },
  ],
});
