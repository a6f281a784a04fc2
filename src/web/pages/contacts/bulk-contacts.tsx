import { Autocomplete, Select } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { BulkAsking, BulkBar } from '../../parts/bulk-bar.tsx';
import { stepsOf, useBulk, type Asked } from '../../parts/use-bulk.ts';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

type Props = { selection: Selection; knownTags: readonly string[] };

/** What can be done with the selected contacts. */
export const BulkContacts = ({ selection, knownTags }: Props) => {
  const mayEnroll = mayAs('editor', useSignedIn());
  return (
    <BulkBar selection={selection}>
      <ByTag selection={selection} knownTags={knownTags} isAdding />
      <ByTag selection={selection} knownTags={knownTags} isAdding={false} />
      {mayEnroll && <Enroll selection={selection} />}
    </BulkBar>
  );
};

const putTag = (asked: Asked<{ tag: string }>) => client.POST('/bulk/contacts/tag', asked);
const takeTag = (asked: Asked<{ tag: string }>) => client.POST('/bulk/contacts/untag', asked);

const ByTag = ({ selection, knownTags, isAdding }: Props & { isAdding: boolean }) => {
  const [typed, setTyped] = useState('');
  const { isSending, act } = useBulk(selection, {
    request: isAdding ? putTag : takeTag,
    done: (count, { tag }: { tag: string }) => (isAdding ? words.bulk.tagged : words.bulk.untagged)({ count, tag }),
    changes: ['/contacts', '/tags'],
  });
  const tag = typed.trim();
  // Tagging again would start flows, so that untagging has no undo.
  const change = (): void => void act({ tag }, isAdding ? (changed) => stepsOf(takeTag, { tag }, changed) : undefined);
  return (
    <BulkAsking
      action={isAdding ? words.bulk.tag : words.bulk.untag}
      onConfirm={tag === '' ? undefined : change}
      isSending={isSending}
    >
      <Autocomplete
        label={words.bulk.whichTag}
        data={[...knownTags]}
        value={typed}
        onChange={setTyped}
        maxLength={100}
        limit={20}
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    </BulkAsking>
  );
};

const Enroll = ({ selection }: Pick<Props, 'selection'>) => {
  const { flows } = useFlowNames({ status: 'live' });
  const [flowId, setFlowId] = useState<string | null>(null);
  const { isSending, act } = useBulk(selection, {
    request: (asked: Asked<{ flow_id: string }>) => client.POST('/bulk/contacts/enroll', asked),
    done: words.bulk.enrolled,
    changes: ['/contacts', '/runs', '/flows'],
  });
  return (
    <BulkAsking
      action={words.bulk.enroll}
      onConfirm={flowId === null ? undefined : () => void act({ flow_id: flowId })}
      isSending={isSending}
    >
      <Select
        label={words.bulk.whichFlow}
        placeholder={words.bulk.liveFlows}
        data={flows.map(({ id, name }) => ({ value: id, label: name }))}
        value={flowId}
        onChange={setFlowId}
        searchable
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    </BulkAsking>
  );
};
