import { NumberInput, SimpleGrid, Textarea } from '@mantine/core';
import { parseJson } from '../../../shared/platform/json/parse-json.ts';
import { testAnswerChanges } from '../../../shared/test-endpoint/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { formatJson } from '../../parts/format-json.ts';
import { Form } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

type Written = { status: number | string; delay_ms: number | string; body: string };

/** The JSON that was typed; undefined for what is none. */
const readBody = (text: string): unknown => {
  if (text.trim() === '') return null;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const read = ({ status, delay_ms, body }: Written) => ({
  status: Number(status),
  delay_ms: Number(delay_ms),
  body: readBody(body),
});

const schema = checkedAs<Written>(testAnswerChanges, read).superRefine(({ body }, ctx) => {
  if (readBody(body) === undefined) ctx.addIssue({ code: 'custom', path: ['body'], message: words.notJson });
});

/** What the endpoint answers, typed by its owner. */
export const AnswerForm = ({ answer }: { answer: Schemas['TestEndpoint']['answer'] }) => {
  const text = answer.body === null ? '' : JSON.stringify(answer.body);
  const { form, ...state } = useApiForm<Written>({
    initialValues: { status: answer.status, delay_ms: answer.delay_ms, body: formatJson(text) ?? text },
    schema,
    onSubmit: async (values) => {
      await client.PATCH('/test-endpoint', { body: read(values) });
      await invalidate('/test-endpoint');
      showDone({ message: words.saved });
    },
  });
  return (
    <Section title={words.answer} description={words.answerHint}>
      <Form {...state} action={words.save}>
        <SimpleGrid cols={{ base: 2 }}>
          <NumberInput
            label={words.status}
            description={words.statusHint}
            min={200}
            max={599}
            allowDecimal={false}
            {...form.getInputProps('status')}
          />
          <NumberInput
            label={words.delay}
            description={words.delayHint}
            min={0}
            max={15_000}
            step={500}
            allowDecimal={false}
            {...form.getInputProps('delay_ms')}
          />
        </SimpleGrid>
        <Textarea
          label={words.body}
          description={words.bodyHint}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('body')}
        />
      </Form>
    </Section>
  );
};
