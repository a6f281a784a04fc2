import { ada, type ApiUrl, type Template } from './template.ts';

/** Asks for name, e-mail and interest, and sends the lead to another service. */
export const leadCapture = (api: ApiUrl): Template => ({
  definition: {
    schema_version: 1,
    start: 'ask_name',
    triggers: [{ type: 'keyword', match: 'contains', words: ['demo', 'price'] }],
    blocks: [
      {
        id: 'ask_name',
        type: 'ask',
        name: 'Ask for the name',
        prompt: 'Happy to help! What is your name?',
        expects: 'text',
        save_to: 'first_name',
        timeout: 'P1D',
        next: { answered: 'ask_email', invalid: null, timeout: null, failed: null },
      },
      {
        id: 'ask_email',
        type: 'ask',
        name: 'Ask for the e-mail',
        prompt: 'Thanks, {{first_name}}. Which e-mail address may we write to?',
        expects: 'email',
        save_to: 'email',
        retry_text: 'That does not look like an e-mail address. Please try again.',
        timeout: 'P1D',
        next: { answered: 'ask_interest', invalid: 'ask_interest', timeout: null, failed: null },
      },
      {
        id: 'ask_interest',
        type: 'ask',
        name: 'Ask for the interest',
        prompt: 'What are you interested in?',
        expects: 'choice',
        choices: ['Prices', 'A demo', 'Something else'],
        save_to: 'interest',
        timeout: 'P1D',
        next: { answered: 'mark', invalid: 'mark', timeout: 'mark', failed: null },
      },
      { id: 'mark', type: 'add_tag', name: 'Mark as a lead', tag: 'lead', next: { default: 'send_lead' } },
      {
        id: 'send_lead',
        type: 'external_request',
        name: 'Send the lead',
        method: 'POST',
        url: `${api}/leads`,
        body_type: 'json',
        body: '{"name": "{{first_name}}", "email": {{email|default:null}}, "interest": {{interest|default:null}}}',
        next: { success: 'thanks', error: 'thanks', timeout: 'thanks' },
      },
      {
        id: 'thanks',
        type: 'send',
        name: 'Say thanks',
        messages: [{ text: 'Thank you! We will get back to you today.' }],
        next: { default: null, failed: null },
      },
    ],
  },
  fields: [{ key: 'interest', name: 'Interest', type: 'text' }],
  scenario: {
    name: 'A complete lead',
    simulation: {
      contact: { ...ada, tags: [] },
      seed: 1,
      inputs: [{ text: 'Grace' }, { text: 'grace@example.com' }, { text: 'A demo' }],
      mocks: { send_lead: { status: 201 } },
    },
    expected: {
      status: 'completed',
      messages: [
        'Happy to help! What is your name?',
        'Thanks, Grace. Which e-mail address may we write to?',
        'What are you interested in?',
        'Thank you! We will get back to you today.',
      ],
      fields: { interest: 'A demo' },
      tags: ['lead'],
    },
  },
});
