import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enter, isBlock, resume } from '../../../helpers/blocks.ts';
import { aField, aBlockContext } from '../../../helpers/block-context.ts';

const reply = (text: string) => ({ type: 'reply', text, seq: 1 }) as const;

describe('send', () => {
  test('writes its messages with the values of the contact, and goes on', () => {
    const messages = [
      {
        text: 'Hi {{first_name}}',
        image_url: 'https://img.example/{{params.n}}.png',
        quick_replies: ['Yes', '{{no}}', ' '],
      },
      { text: '{{account.name}}' },
    ];
    const context = aBlockContext({ run: { params: { n: 7 } } });
    expect(enter({ type: 'send', messages }, context)).toEqual({
      type: 'go',
      port: 'default',
      effects: [
        {
          type: 'send',
          messages: [
            { text: 'Hi Ada', imageUrl: 'https://img.example/7.png', quickReplies: ['Yes'] },
            { text: 'Shirts & Co' },
          ],
        },
      ],
    });
  });

  test.for([
    [{ text: '{{last_name}}' }, 'empty_message'],
    [{ text: '{{params.long}}' }, 'message_too_long'],
    [{ text: 'Hi', image_url: '{{params.script}}' }, 'invalid_image_url'],
    [{ text: 'Hi {{' }, 'invalid_template'],
  ] as const)('sends nothing when one of its messages cannot be read: %j', ([message, reason]) => {
    const context = aBlockContext({ run: { params: { long: 'x'.repeat(10_001), script: 'javascript:alert(1)' } } });
    const messages = [{ text: 'first' }, message];
    expect(enter({ type: 'send', messages }, context)).toEqual({ type: 'go', port: 'failed', reason });
  });

  test('takes 1 to 10 messages of up to 10 quick replies, and nothing else', () => {
    const text = 'x';
    expect(isBlock({ type: 'send', messages: [] })).toBe(false);
    expect(isBlock({ type: 'send', messages: Array.from({ length: 10 }, () => ({ text })) })).toBe(true);
    expect(isBlock({ type: 'send', messages: Array.from({ length: 11 }, () => ({ text })) })).toBe(false);
    expect(isBlock({ type: 'send', messages: [{ text, quick_replies: Array.from({ length: 11 }, String) }] })).toBe(
      false,
    );
    expect(isBlock({ type: 'send', messages: [{ text }], sound: 'ping' })).toBe(false);
    expect(isBlock({ type: 'send', messages: [{ text }], next: { success: null } })).toBe(false);
  });
});

describe('ask', () => {
  const choices = ['Small', { label: 'Größe L', value: 'large' }, '10'];
  const ask = {
    type: 'ask',
    prompt: 'Which size, {{first_name}}?',
    expects: 'choice',
    choices,
    save_to: 'size',
  } as const;
  const fields = [aField('size', 'text')];

  test('says its prompt with the choices, and waits for its time', () => {
    const context = aBlockContext({ now: '2026-03-04T10:00:00Z', fields });
    expect(enter({ ...ask, timeout: 'PT1H', early: 'take' }, context)).toEqual({
      type: 'wait',
      for: 'reply',
      until: new Date('2026-03-04T11:00:00Z'),
      early: true,
      effects: [{ type: 'send', messages: [{ text: 'Which size, Ada?', quickReplies: ['Small', 'Größe L', '10'] }] }],
    });
    expect(enter(ask, context)).toMatchObject({ until: new Date('2026-03-11T10:00:00Z') });
  });

  test('shows choices with the values of the contact, without those that show nothing', () => {
    const asked = {
      ...ask,
      choices: ['Like {{params.last}}', '{{params.none}}', { label: '{{params.far}}', value: '{{params.n}}' }],
    };
    const context = aBlockContext({ fields, run: { params: { last: 'M', far: 'x'.repeat(81), n: 7 } } });
    const quickReplies = ['Like M', 'x'.repeat(80)];
    expect(enter(asked, context)).toMatchObject({ effects: [{ messages: [{ quickReplies }] }] });
    for (const [text, value] of [
      ['like m', 'Like M'],
      ['2', '7'],
      ['7', '7'],
    ] as const)
      expect(resume(asked, context, reply(text))).toMatchObject({ effects: [{ text }, { key: 'size', value }] });
    expect(resume(asked, context, reply('3'))).toMatchObject({ tried: true });
  });

  test('shows the first ten of many choices, and takes each of them', () => {
    const labels = Array.from({ length: 50 }, (_, n) => `no. ${n + 1}`);
    const asked = { ...ask, choices: labels };
    const context = aBlockContext({ fields });
    expect(enter(asked, context)).toMatchObject({ effects: [{ messages: [{ quickReplies: labels.slice(0, 10) }] }] });
    for (const text of ['no. 11', '50'])
      expect(resume(asked, context, reply(text))).toMatchObject({ type: 'go', port: 'answered' });
  });

  test('goes another way when its prompt cannot be said', () => {
    expect(enter({ ...ask, prompt: '{{last_name}}' }, aBlockContext())).toEqual({
      type: 'go',
      port: 'failed',
      reason: 'empty_message',
    });
  });

  test.for([
    ['small', 'Small'],
    [' SMALL ', 'Small'],
    ['ｓｍａｌｌ', 'Small'],
    ['grösse l', 'large'],
    ['LARGE', 'large'],
    ['2', 'large'],
    ['1', 'Small'],
    ['10', '10'],
  ] as const)('takes %j for the choice %j, and writes it', ([text, value]) => {
    expect(resume(ask, aBlockContext({ fields }), reply(text))).toEqual({
      type: 'go',
      port: 'answered',
      effects: [
        { type: 'set_reply', text },
        { type: 'set_field', key: 'size', value },
      ],
    });
  });

  test.for(['medium', '', '0', '4', '-1', '1.0', 'small large', 'constructor'])(
    'does not take %j for a choice',
    (text) => {
      expect(resume(ask, aBlockContext({ fields }), reply(text))).toMatchObject({ type: 'wait', tried: true });
    },
  );

  test('every choice is chosen by its label, whatever its case and blanks', () => {
    const label = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== '' && !text.includes('{{'));
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), fc.nat(), (labels, n) => {
        const config = { type: 'ask', prompt: '?', expects: 'choice', choices: labels, save_to: 'size' };
        const chosen = labels[n % labels.length] ?? '';
        const move = resume(config, aBlockContext({ fields }), reply(`  ${chosen.toUpperCase()} `));
        expect(move).toMatchObject({ port: 'answered' });
      }),
      { examples: [[['55″'], 0]] },
    );
  });

  test('a choice is read as it was when the version of the flow was published', () => {
    const config = { type: 'ask', prompt: '?', expects: 'choice', choices: ['55″'] };
    expect(resume(config, aBlockContext({ fields, v: 2 }), reply('55″'))).toMatchObject({ type: 'wait', tried: true });
  });

  test('a wrong answer is asked again, without putting the timeout off, as often as it says', () => {
    const config = { ...ask, retries: 1, retry_text: 'Small or large?' };
    expect(resume(config, aBlockContext({ fields }), reply('huge'))).toEqual({
      type: 'wait',
      for: 'reply',
      tried: true,
      effects: [{ type: 'send', messages: [{ text: 'Small or large?', quickReplies: ['Small', 'Größe L', '10'] }] }],
    });
    expect(resume(config, aBlockContext({ fields, step: { tries: 1 } }), reply('huge'))).toEqual({
      type: 'go',
      port: 'invalid',
      effects: [{ type: 'set_reply', text: 'huge' }],
    });
    expect(resume({ ...config, retries: 0 }, aBlockContext({ fields }), reply('huge'))).toMatchObject({
      port: 'invalid',
    });
  });

  test('the time that has come takes the port timeout; other inputs are not for it', () => {
    expect(resume(ask, aBlockContext(), { type: 'due' })).toEqual({ type: 'go', port: 'timeout' });
    expect(resume(ask, aBlockContext(), { type: 'child_ended', seq: 1, status: 'completed' })).toBeUndefined();
  });

  test.for([
    ['number', ' 7.5 ', 7.5],
    ['number', '７', 7],
    ['number', 'seven', undefined],
    ['number', '1e5', undefined],
    ['email', ' Ada@Example.com ', 'Ada@Example.com'],
    ['email', 'ada@example', undefined],
    ['email', 'ada @example.com', undefined],
    ['phone', '+49 (151) 123-456 78', '+4915112345678'],
    ['phone', '0049 151 12345678', '+4915112345678'],
    ['phone', '0151 12345678', undefined],
    ['date', '2026-02-28', '2026-02-28'],
    ['date', '1.3.2026', '2026-03-01'],
    ['date', '30.02.2026', undefined],
    ['date', '03/04/2026', undefined],
    ['text', ' blue ', 'blue'],
    ['text', '   ', undefined],
    ['any', '', null],
    ['any', ' x ', ' x '],
  ] as const)('for %s, %j means %j', ([expects, text, value]) => {
    const type = expects === 'number' ? 'number' : 'text';
    const move = resume(
      { type: 'ask', prompt: '?', expects, save_to: 'answer' },
      aBlockContext({ fields: [aField('answer', type)] }),
      reply(text),
    );
    const answered = {
      port: 'answered',
      effects: [
        { type: 'set_reply', text },
        { key: 'answer', value },
      ],
    };
    expect(move).toMatchObject(value === undefined ? { type: 'wait', tried: true } : answered);
  });

  const card = { type: 'contact', name: 'Ada', phone: '+4930123' } as const;
  const here = { type: 'location', latitude: 52.52, longitude: -0.0000001 } as const;
  const fileOf = (type: 'image' | 'file' | 'audio' | 'video') =>
    ({ type, id: `med_${type}`, name: type, content_type: 'x/y', size: 1, width: null, height: null }) as const;
  const [photo, paper, voice] = [fileOf('image'), fileOf('file'), fileOf('audio')];

  test.for([
    ['image', [photo], photo, 'med_image'],
    ['image', [card, paper, photo], photo, 'med_image'],
    ['image', [paper], undefined, undefined],
    ['image', [here], undefined, undefined],
    ['image', [], undefined, undefined],
    ['file', [paper], paper, 'med_file'],
    ['file', [here, photo, paper], photo, 'med_image'],
    ['file', [voice], voice, 'med_audio'],
    ['file', [here, card], undefined, undefined],
    ['location', [photo, here], here, '52.52,0'],
    ['location', [card, photo], undefined, undefined],
    ['text', [photo], undefined, undefined],
  ] as const)('for %s, %j is answered by %j', ([expects, attachments, attachment, value]) => {
    const config = { type: 'ask', prompt: '?', expects, save_to: 'answer' };
    const context = aBlockContext({ fields: [aField('answer', 'text')] });
    const move = resume(config, context, { ...reply(''), attachments: [...attachments] });
    const effects = [
      { type: 'set_reply', text: '', attachment },
      { type: 'set_field', key: 'answer', value },
    ];
    expect(move).toMatchObject(value === undefined ? { type: 'wait', tried: true } : { port: 'answered', effects });
  });

  test('words are no answer where an attachment is expected, and a caption beside one is its text', () => {
    const config = { type: 'ask', prompt: '?', expects: 'location', save_to: 'answer' };
    const context = aBlockContext({ fields: [aField('answer', 'text')] });
    expect(resume(config, context, reply('52.52,13.4'))).toMatchObject({ type: 'wait', tried: true });
    expect(resume(config, context, { ...reply('here'), attachments: [here] })).toMatchObject({
      port: 'answered',
      effects: [{ text: 'here', attachment: here }, {}],
    });
  });

  test('an answer that its field cannot hold is a wrong one', () => {
    const config = { type: 'ask', prompt: '?', expects: 'text', save_to: 'language' };
    expect(resume(config, aBlockContext(), reply('pt-br'))).toMatchObject({
      effects: [{}, { key: 'language', value: 'pt-BR' }],
    });
    expect(resume(config, aBlockContext(), reply('not a language'))).toMatchObject({ tried: true });
    const date = { ...config, expects: 'any', save_to: 'born' };
    expect(resume(date, aBlockContext({ fields: [aField('born', 'date')] }), reply('soon'))).toMatchObject({
      tried: true,
    });
  });
});
