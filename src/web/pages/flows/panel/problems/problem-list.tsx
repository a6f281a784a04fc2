import { Button, Popover, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { memo, useEffect, useRef } from 'react';
import { useCustomFields } from '../../../../parts/use-custom-fields.ts';
import { useList } from '../../../../parts/use-list.ts';
import { Status } from '../../../../parts/status.tsx';
import { useBuilder, type Builder } from '../../builder/builder-context.ts';
import type { Issue } from '../../json/issue-list.tsx';
import { sayPlace } from '../../json/say-place.ts';
import { words as flowWords } from '../../words.ts';
import { blocksOf } from '../../edits/blocks.ts';
import { FixButtons } from './fix-buttons.tsx';
import { findPlace, jumpTo } from './jump.ts';
import { words } from './words.ts';

/** The most that are listed, errors first. */
const mostListed = 100;

/** How many problems the draft has; opens their list, from which each leads to its field. */
export const ProblemList = () => {
  const { issues, recheck, definition } = useBuilder();
  return <Problems issues={issues} recheck={recheck} isEmpty={blocksOf(definition).length === 0} />;
};

type Props = Pick<Builder, 'issues' | 'recheck'> & { isEmpty: boolean };

const Problems = memo(({ issues, recheck, isEmpty }: Props) => {
  useRecheck(recheck);
  const [isOpen, { toggle, close }] = useDisclosure();
  const errors = issues.some(({ severity }) => severity === 'error');
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      position="bottom-end"
      width="min(460px, 94vw)"
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          onClick={toggle}
          rightSection={
            <Status tone={errors ? 'bad' : issues.length > 0 ? 'waiting' : isEmpty ? 'off' : 'good'}>
              {String(issues.length)}
            </Status>
          }
        >
          {words.show}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.list} p="sm">
        <Stack gap="xs" mah="min(60vh, 560px)" style={{ overflowY: 'auto' }} tabIndex={0} data-autofocus>
          <Title order={2} size="h6">
            {words.list}
          </Title>
          {issues.length === 0 && <Text size="sm">{isEmpty ? words.empty : words.none}</Text>}
          {issues.slice(0, mostListed).map((issue) => (
            <ListedProblem key={`${issue.code} ${issue.path} ${issue.message}`} issue={issue} close={close} />
          ))}
          {issues.length > mostListed && <Text size="xs">{words.more(issues.length - mostListed)}</Text>}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
});
Problems.displayName = 'Problems';

/** Has the draft checked again when fields, tags or credentials have changed, whoever has changed them. */
const useRecheck = (recheck: () => void): void => {
  const fields = useCustomFields();
  const { rows: tags } = useList('/tags', { limit: 200 });
  const { rows: credentials } = useList('/credentials', { limit: 200 });
  const checked = useRef<readonly unknown[]>([]);
  useEffect(() => {
    const now = [fields, tags, credentials];
    const isChanged = now.some(
      (rows, place) => checked.current[place] !== undefined && rows !== checked.current[place],
    );
    checked.current = now;
    if (isChanged) recheck();
  }, [fields, tags, credentials, recheck]);
};

const ListedProblem = ({ issue, close }: { issue: Issue; close: () => void }) => {
  const builder = useBuilder();
  const { severity, message, hint } = issue;
  const isLeading = findPlace(builder, issue) !== undefined;
  return (
    <div className="panel-item">
      <button
        type="button"
        className="problem-place"
        disabled={!isLeading}
        onClick={() => {
          close();
          jumpTo(builder, issue);
        }}
      >
        <Status tone={severity === 'error' ? 'bad' : 'waiting'}>{flowWords.draft.severities[severity]}</Status>{' '}
        <strong>{sayPlace(issue) || words.definition}</strong>
        <span>{(hint ?? '') === '' ? message : `${message}. ${hint}`}</span>
      </button>
      <FixButtons issue={issue} />
    </div>
  );
};
