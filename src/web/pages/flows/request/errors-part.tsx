import { SegmentedControl, Stack, TagsInput, Text } from '@mantine/core';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { getAt } from '../edits/at.ts';
import { ChoiceField } from '../panel/controls/choice-field.tsx';
import { DurationField } from '../panel/controls/duration-field.tsx';
import { ListField } from '../panel/controls/list.tsx';
import { Misfit } from '../panel/controls/misfit.tsx';
import { NumberField } from '../panel/controls/number-field.tsx';
import { useAt } from '../panel/controls/use-at.ts';
import { useOpenBlock } from '../panel/open-block.ts';
import { FieldProblems } from '../panel/problems/field-problems.tsx';
import { PlainField } from './plain-field.tsx';
import { templateOf } from './read-request.ts';
import { words } from './words.ts';

/** Which answers are a success, and what becomes of a request that fails. */
export const ErrorsPart = () => (
  <Stack gap="lg">
    <Success />
    <Stack gap="sm" component="section" aria-label={words.retry}>
      <NumberField
        path="attempts"
        label={words.attempts}
        description={words.attemptsHint}
        byDefault={3}
        min={1}
        max={5}
      />
      <DurationField path="retry.first_wait" label={words.firstWait} byDefault="PT1S" />
      <DurationField path="retry.longest_wait" label={words.longestWait} byDefault="PT5M" />
      <Statuses />
    </Stack>
  </Stack>
);

/** By the status, or by rules on what an answer says. */
const Success = () => {
  const { value, set, problems, problemsId } = useAt('success_when', { isWhole: false });
  if (value !== undefined && !isObject(value)) return <Misfit path="success_when" label={words.success} />;
  return (
    <Stack gap="xs" component="section" aria-label={words.success} data-field="success_when">
      <Text size="sm" fw={500}>
        {words.success}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={words.success}
        data={[
          { value: 'status', label: words.successByStatus },
          { value: 'rules', label: words.successByRules },
        ]}
        value={value === undefined ? 'status' : 'rules'}
        onChange={(next) => set(next === 'status' ? undefined : { rules: [{ path: '$status', op: 'lt', value: 300 }] })}
      />
      <FieldProblems id={problemsId} problems={problems} />
      {value === undefined ? (
        <Text size="xs" c="dimmed">
          {words.portsHint}
        </Text>
      ) : (
        <>
          <ChoiceField path="success_when.match" label={words.match} options={words.matches} byDefault="all" />
          <ListField
            path="success_when.rules"
            label={words.rules}
            nameOf={words.rule}
            add={{ create: () => ({ path: '', op: 'is', value: true }), label: words.addRule }}
            most={10}
          >
            {(path) => <Rule path={path} />}
          </ListField>
        </>
      )}
    </Stack>
  );
};

const Rule = ({ path }: { path: string }) => {
  const { block, setAt } = useOpenBlock();
  const rule = getAt(block, path);
  if (!isObject(rule)) return <Misfit path={path} label={words.rules} />;
  const { op, value, ...rest } = rule;
  const isAlone = op === 'is_set' || op === 'not_set';
  return (
    <>
      <PlainField path={`${path}.path`} label={words.path} placeholder="$.ok" />
      <ChoiceField
        path={`${path}.op`}
        label={words.operator}
        options={words.operators}
        onChange={(next) => setAt(path, { ...rest, op: next, ...(!next?.endsWith('_set') && { value: value ?? '' }) })}
      />
      {(!isAlone || value !== undefined) && <PlainField path={`${path}.value`} label={words.rowValue} isConstant />}
    </>
  );
};

/** Which statuses are retried; what is no number stays as it is typed, with its problem. */
const Statuses = () => {
  const { value, set, problems, problemsId, described } = useAt('retry.statuses');
  if (value !== undefined && !Array.isArray(value)) return <Misfit path="retry.statuses" label={words.statuses} />;
  const read = (typed: string): unknown => (/^\d{1,9}$/.test(typed) ? Number(typed) : typed);
  return (
    <div data-field="retry.statuses">
      <TagsInput
        label={words.statuses}
        description={words.statusesHint}
        placeholder={value === undefined ? '408, 425, 429, 500, 502, 503, 504' : ''}
        value={(value ?? []).map(templateOf)}
        onChange={(typed) => set(typed.length === 0 ? undefined : typed.map(read))}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
