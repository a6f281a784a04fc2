import { plural } from '../../../words/numbers.ts';

/** What an empty flow offers: first blocks, and templates. */
export const words = {
  title: 'Build your flow',
  hint: 'Start with a block, or take a template and change it.',
  ghosts: {
    start: 'When a contact writes …',
    startHint: 'Choose the word that starts the flow.',
    ask: 'Ask or say something',
    askHint: 'A question with answers to tap.',
    request: 'Call your API',
    requestHint: 'Save values of the response to fields.',
  },
  ghostLabel: 'First blocks',
  add: { start: 'Set the first word', ask: 'Add a question', request: 'Add a request' },
  gallery: 'Templates',
  names: {
    order_status: 'Order status by API',
    lead_capture: 'Lead capture',
    office_hours: 'Office hours',
    survey: 'Survey',
    hand_over: 'Hand over to an agent',
    abandoned_cart: 'Abandoned cart',
  },
  hints: {
    order_status: 'On “order”: asks for a number, asks your API and tells the status.',
    lead_capture: 'On “demo” or “price”: asks for name and e-mail, and sends the lead to your API.',
    office_hours: 'On “help”: gets an agent in office hours, and takes a note after them.',
    survey: 'A day after delivery: asks for a rating, and for the reason of a low one.',
    hand_over: 'On “agent”: asks for the topic and gets an agent.',
    abandoned_cart: 'On the tag “cart”: reminds after an hour without an order.',
  },
  preview: (name: string) => `Preview of “${name}”`,
  use: 'Use template',
  back: 'Show all templates',
  takes: (name: string) => `Use “${name}”`,
  taken: (name: string) => `“${name}” is your draft now`,
  takenHint: 'Try it on the phone, then publish it.',
  creates: (fields: string) => `Creates fields if they are missing: ${fields}.`,
  clash: 'This template does not fit your custom fields',
  clashOf: ({ key, type, wanted }: { key: string; type: string; wanted: string }) =>
    `The field ${key} has the type ${type}; the template needs ${wanted}. Nothing was created.`,
  scenario: (name: string) => `Brings the scenario “${name}”.`,
  asks: {
    own: 'Calls the test endpoint of this installation. Put your API in its place later.',
    other: 'Calls shop.example. Put your API in its place.',
  },
  blocks: (count: number) => plural(count, { one: `${count} block`, other: `${count} blocks` }),
} as const;
