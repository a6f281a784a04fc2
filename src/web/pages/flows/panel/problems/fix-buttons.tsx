import { Button, Menu } from '@mantine/core';
import { showFailure } from '../../../../parts/failure.tsx';
import { useSending } from '../../../../parts/use-sending.ts';
import { startId, useBuilder } from '../../builder/builder-context.ts';
import { blocksOf, textOf } from '../../edits/blocks.ts';
import { connect } from '../../edits/connect.ts';
import { indexOf, refsOf } from '../../edits/refs.ts';
import type { Issue } from '../../json/issue-list.tsx';
import { createField, createTag } from '../controls/create.ts';
import { fixesOf } from './fixes.ts';
import { findPlace } from './jump.ts';
import type { Fix } from './fix.ts';
import { words } from './words.ts';

/** What can be done about a problem, as buttons. The problem's path is from the definition. */
export const FixButtons = ({ issue }: { issue: Issue }) => {
  const { definition } = useBuilder();
  const fixes = fixesOf(issue, definition);
  if (fixes.length === 0) return null;
  return (
    <span className="problem-fixes">
      {fixes.map((fix) =>
        fix.type === 'connect' ? (
          <ConnectButton key={fix.label} fix={fix} />
        ) : (
          <FixButton key={fix.label} fix={fix} issue={issue} />
        ),
      )}
    </span>
  );
};

type FixProps = { fix: Exclude<Fix, { type: 'connect' }>; issue: Issue };

const FixButton = ({ fix, issue }: FixProps) => {
  const builder = useBuilder();
  const { definition } = builder;
  const { isSending, send } = useSending(showFailure);
  const apply = (): void => {
    // The button goes with its problem.
    const place = findPlace(builder, issue);
    if (fix.type === 'edit') {
      builder.edit({ label: words.fixed(fix.label) }, fix.change);
      const after = fix.change(definition);
      const isRemoved = blocksOf(after).length < blocksOf(definition).length;
      // The block may have another id now, or be gone.
      const ref = place && place.blockId !== startId ? refsOf(after)[indexOf(definition, place.blockId)] : startId;
      if (isRemoved) builder.select([]);
      else if (place && ref !== undefined) builder.open(ref, place.path);
      return;
    }
    void send(() =>
      fix.type === 'create_field' ? createField({ key: fix.key, type: fix.fieldType }) : createTag(fix.name),
    );
    if (place) builder.open(place.blockId, place.path);
  };
  return (
    <Button size="compact-sm" variant="default" loading={isSending} onClick={apply}>
      {fix.label}
    </Button>
  );
};

const ConnectButton = ({ fix: { label, from, port } }: { fix: Extract<Fix, { type: 'connect' }> }) => {
  const { definition, edit } = useBuilder();
  const ids = [...new Set(blocksOf(definition).map((block) => textOf(block, 'id')))].filter(
    (id) => id !== '' && id !== from,
  );
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button size="compact-sm" variant="default">
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={260} style={{ overflowY: 'auto' }}>
        {ids.map((id) => (
          <Menu.Item
            key={id}
            onClick={() => edit({ label: words.fixed(label) }, (before) => connect(before, { from, port, to: id }))}
          >
            {id}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
