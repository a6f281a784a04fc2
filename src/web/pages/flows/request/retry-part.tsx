import { NumberInput, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { durationMs } from '../../../../shared/flows/blocks/durations.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { setFields } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { errorAt, IssueNotes, issuesAt } from './issue-notes.tsx';
import { NumberField } from './number-field.tsx';
import { templateOf } from './read-request.ts';
import { Unreadable } from './unreadable.tsx';
import { words } from './words.ts';

/** How often a request is made again, and after how long. */
export const RetryPart = ({ block, set, issues }: BlockFormProps) => {
  const { retry } = block;
  const put = (changes: Readonly<Record<string, unknown>>, at: string): void => {
    const next = setFields(isObject(retry) ? retry : {}, changes);
    set({ retry: Object.keys(next).length === 0 ? undefined : next }, `retry ${at}`);
  };
  return (
    <Stack gap="sm">
      <NumberField
        field="attempts"
        label={words.attempts}
        hint={words.attemptsHint}
        value={block['attempts']}
        onChange={(attempts) => set({ attempts })}
        issues={issues}
        standard={3}
        least={1}
        most={5}
      />
      {retry !== undefined && !isObject(retry) ? (
        <Unreadable field="retry" value={retry} remove={() => set({ retry: undefined })} />
      ) : (
        <Stack gap="sm" component="section" aria-label={words.retry} data-field="retry">
          <IssueNotes issues={issuesAt(issues, 'retry')} />
          <SimpleGrid cols={2} spacing="xs">
            <Wait part="first_wait" label={words.firstWait} standard="1" retry={retry} put={put} issues={issues} />
            <Wait
              part="longest_wait"
              label={words.longestWait}
              standard="300"
              retry={retry}
              put={put}
              issues={issues}
            />
          </SimpleGrid>
          <Statuses value={retry?.['statuses']} put={put} issues={issues} />
        </Stack>
      )}
    </Stack>
  );
};

type Put = (changes: Readonly<Record<string, unknown>>, at: string) => void;

type WaitProps = {
  part: 'first_wait' | 'longest_wait';
  label: string;
  standard: string;
  retry: Readonly<Record<string, unknown>> | undefined;
  put: Put;
  issues: BlockFormProps['issues'];
};

/** A duration in seconds. */
const Wait = ({ part, label, standard, retry, put, issues }: WaitProps) => {
  const value = retry?.[part];
  const ms = typeof value === 'string' ? durationMs(value) : undefined;
  const path = `retry.${part}`;
  const told = errorAt(issues, path);
  return (
    <div data-field={path}>
      <NumberInput
        label={label}
        placeholder={standard}
        value={ms === undefined ? templateOf(value) : ms / 1_000}
        min={1}
        max={300}
        clampBehavior="none"
        error={told}
        onChange={(typed) => put({ [part]: typed === '' ? undefined : `PT${typed}S` }, part)}
      />
      <IssueNotes issues={issuesAt(issues, path)} told={told} />
    </div>
  );
};

/** Which statuses are retried; what is no number stays as it is typed, and is told. */
const Statuses = ({ value, put, issues }: { value: unknown; put: Put; issues: BlockFormProps['issues'] }) => {
  if (value !== undefined && !Array.isArray(value))
    return <Unreadable field="statuses" value={value} remove={() => put({ statuses: undefined }, 'statuses')} />;
  const own = issues.filter(({ path }) => path.startsWith('retry.statuses'));
  return (
    <div data-field="retry.statuses">
      <TagsInput
        label={words.statuses}
        description={words.statusesHint}
        placeholder={value === undefined ? '408, 425, 429, 500, 502, 503, 504' : ''}
        value={(value ?? []).map(templateOf)}
        onChange={(typed) =>
          put(
            {
              statuses:
                typed.length === 0 ? undefined : typed.map((one) => (/^\d{1,9}$/.test(one) ? Number(one) : one)),
            },
            'statuses',
          )
        }
      />
      <IssueNotes issues={own} />
    </div>
  );
};
