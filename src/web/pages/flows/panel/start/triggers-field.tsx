import { Button, Menu, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { api } from '../../../../api/client.ts';
import { To } from '../../../../parts/to.tsx';
import { useBuilder } from '../../builder/builder-context.ts';
import { getAt } from '../../edits/at.ts';
import { ChoiceField } from '../controls/choice-field.tsx';
import { ListField, type AddMenuProps } from '../controls/list.tsx';
import { Misfit } from '../controls/misfit.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { SwitchField } from '../controls/switch-field.tsx';
import { TagField } from '../controls/tag-field.tsx';
import { useAt } from '../controls/use-at.ts';
import { useOpenBlock } from '../open-block.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { StartLinks } from './start-links.tsx';
import { findDraftLosses, type DraftLoss } from './losses.ts';
import { words } from './words.ts';

/** The most triggers of a flow. */
const mostTriggers = 20;

/** New triggers, by their types. */
const created = [
  { type: 'keyword', trigger: { type: 'keyword', match: 'exact', words: [] } },
  { type: 'start_link', trigger: { type: 'start_link' } },
  { type: 'default_reply', trigger: { type: 'default_reply' } },
  { type: 'tag_applied', trigger: { type: 'tag_applied', tag: '' } },
  { type: 'new_contact', trigger: { type: 'new_contact' } },
  { type: 'order_placed', trigger: { type: 'order_placed' } },
  { type: 'order_status_changed', trigger: { type: 'order_status_changed' } },
] as const;

/** What starts the flow beside the API, and what others take before it: as the draft is now, compared with what is live. */
export const TriggersField = () => {
  const { flowId } = useBuilder();
  const { value: triggers } = useAt('triggers', { isWhole: false });
  const { data: live } = api.useQuery('get', '/triggers');
  const losses = useMemo(
    () => (live ? findDraftLosses({ flowId, triggers }, live.data) : undefined),
    [flowId, triggers, live],
  );
  return (
    <ListField
      path="triggers"
      label={words.triggers}
      description={words.triggersHint}
      nameOf={words.trigger}
      most={mostTriggers}
      add={menu}
    >
      {(path, index) => <Trigger path={path} losses={losses?.get(index) ?? []} />}
    </ListField>
  );
};

const AddMenu = ({ isFull, append }: AddMenuProps) => (
  <Menu position="bottom-start">
    <Menu.Target>
      <Button
        size="xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={isFull}
      >
        {words.add}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {created.map(({ type, trigger }) => {
        const said = words.kinds[type];
        return (
          <Menu.Item key={type} onClick={() => append(trigger)}>
            {said}
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);

const menu = { menu: AddMenu };

const Trigger = ({ path, losses }: { path: string; losses: readonly DraftLoss[] }) => {
  const { block } = useOpenBlock();
  const trigger = getAt(block, path);
  const type = isObject(trigger) ? trigger['type'] : undefined;
  if (!isKind(type)) return <Misfit path={path} label={words.trigger(Number(path.split('.').at(-1)) + 1)} />;
  const { words: given, payload, match } = isObject(trigger) ? trigger : {};
  const isAllLost = losses.length > 0 && losses.length >= (Array.isArray(given) ? new Set(given).size : 1);
  return (
    <Stack gap="xs">
      <Text size="sm">{words.kinds[type]}</Text>
      {type === 'keyword' && (
        <>
          <ChoiceField path={`${path}.match`} label={words.match} options={words.matches} byDefault="exact" />
          <KeywordsField path={`${path}.words`} />
        </>
      )}
      {type === 'start_link' && (
        <>
          <OptionalText path={`${path}.payload`} label={words.payload} description={words.payloadHint} />
          {payload !== undefined && (
            <ChoiceField
              path={`${path}.match`}
              label={words.payloadMatch}
              options={words.linkMatches}
              byDefault="exact"
            />
          )}
          <StartLinks payload={typeof payload === 'string' ? payload : undefined} isPrefix={match === 'prefix'} />
        </>
      )}
      {type === 'tag_applied' && <TagField path={`${path}.tag`} label={words.tag} />}
      {type === 'order_status_changed' && (
        <OptionalText path={`${path}.status`} label={words.status} description={words.statusHint} />
      )}
      {(type === 'start_link' || type === 'keyword' || type === 'default_reply') && (
        <NumberField
          path={`${path}.priority`}
          label={words.priority}
          description={words.priorityHint}
          min={-1_000}
          max={1_000}
          byDefault={0}
        />
      )}
      {type === 'keyword' && (
        <SwitchField
          path={`${path}.interrupt`}
          label={words.interrupt}
          description={words.interruptHint}
          byDefault={false}
        />
      )}
      <Losses losses={losses} isAllLost={isAllLost} />
    </Stack>
  );
};

const isKind = (type: unknown): type is keyof typeof words.kinds =>
  typeof type === 'string' && Object.hasOwn(words.kinds, type);

/** What goes to others whatever is written, and why. It changes while somebody types. */
const Losses = ({ losses, isAllLost }: { losses: readonly DraftLoss[]; isAllLost: boolean }) => (
  <div role="status" className="field-problems">
    {isAllLost && <strong data-severity="warning">{words.neverWins}</strong>}
    {losses.map(({ word, flowId, flowName, why }) => (
      <span key={`${word} ${flowId}`}>
        {word === null ? words.taken : words.wordTaken(word)}{' '}
        {why === 'own' ? words.ownTrigger : <To to={`/flows/${flowId}?tab=triggers`}>{flowName}</To>}
        {why !== 'own' && ` (${words.whys[why]})`}
      </span>
    ))}
  </div>
);

/** Words as pills: Enter or a comma ends one. */
const KeywordsField = ({ path }: { path: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  const isTexts = Array.isArray(value) && value.every((word) => typeof word === 'string');
  if (value !== undefined && !isTexts) return <Misfit path={path} label={words.words} />;
  return (
    <div data-field={path}>
      <TagsInput
        label={words.words}
        description={words.wordsHint}
        value={(value ?? []).map(String)}
        onChange={set}
        maxTags={50}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};

/** A text that is left out where it is empty. */
const OptionalText = ({ path, label, description }: { path: string; label: string; description: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <TextInput
        label={label}
        description={description}
        value={value ?? ''}
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
