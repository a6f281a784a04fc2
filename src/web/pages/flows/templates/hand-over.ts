import { ada, type Template } from './template.ts';

/** Asks for the topic, and hands over to an agent. */
export const handOver = (): Template => ({
  definition: {
    schema_version: 1,
    start: 'ask_topic',
    triggers: [{ type: 'keyword', match: 'contains', words: ['agent'] }],
    blocks: [
      {
        id: 'ask_topic',
        type: 'ask',
        name: 'Ask for the topic',
        prompt: 'What is it about?',
        expects: 'choice',
        choices: ['My order', 'Something else'],
        save_to: 'topic',
        retry_text: 'Please choose one of them.',
        timeout: 'P1D',
        next: { answered: 'agent', invalid: 'agent', timeout: null, failed: null },
      },
      {
        id: 'agent',
        type: 'handover',
        name: 'Ask for an agent',
        reason: 'Asks for help: {{topic|default:"no topic"}}',
        timeout: 'P1D',
        next: { resolved: 'thanks', timeout: 'sorry' },
      },
      {
        id: 'thanks',
        type: 'send',
        name: 'Say goodbye',
        messages: [{ text: 'Was that all? Just write again.' }],
        next: { default: null, failed: null },
      },
      {
        id: 'sorry',
        type: 'send',
        name: 'Say sorry',
        messages: [{ text: 'Nobody was free, sorry. Please write again.' }],
        next: { default: null, failed: null },
      },
    ],
  },
  fields: [{ key: 'topic', name: 'Topic', type: 'text' }],
  scenario: {
    name: 'An agent helps',
    simulation: {
      contact: { ...ada, tags: [] },
      seed: 1,
      inputs: [{ text: 'My order' }, { event: 'handover_ended', data: { status: 'resolved' } }],
    },
    expected: {
      status: 'completed',
      messages: ['What is it about?', 'Was that all? Just write again.'],
      fields: { topic: 'My order' },
    },
  },
});
