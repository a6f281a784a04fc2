import { Stack, Text, Title } from '@mantine/core';
import { IconPlayerPlay, IconX } from '@tabler/icons-react';
import { ActionIcon } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { KindIcon } from '../../../../parts/kinds/kind-icon.tsx';
import { commonWords } from '../../../../words/common.ts';
import { startId, useBuilder } from '../../builder/builder-context.ts';
import { setAt } from '../../edits/at.ts';
import { blocksOf, textOf } from '../../edits/blocks.ts';
import { ChoiceField } from '../controls/choice-field.tsx';
import { ReferenceField } from '../controls/reference-field.tsx';
import { OpenBlockContext, type OpenBlock } from '../open-block.ts';
import { createClaims } from '../problems/claims.ts';
import { OtherProblems } from '../problems/other-problems.tsx';
import { useLeave } from '../use-leave.ts';
import { useOpened } from '../use-opened.ts';
import { TriggersField } from './triggers-field.tsx';
import { words } from './words.ts';

/** What starts the flow, and with which block. Its controls name fields of the definition as those of a block name the block's. */
export const StartForm = () => {
  const { definition, edit, issues } = useBuilder();
  const leave = useLeave();
  const [, setParams] = useSearchParams();
  const [claims] = useState(createClaims);
  const place = useRef<HTMLDivElement>(null);
  useOpened(startId, place);
  const shared = useMemo(
    (): OpenBlock => ({
      block: definition,
      index: -1,
      id: startId,
      base: '',
      setAt: (path, value) =>
        edit({ label: words.change, gesture: `${startId} ${path}` }, (before) => {
          const changed = setAt(before, path, value);
          return isObject(changed) ? changed : before;
        }),
      issues: issues.filter(({ path }) => /^(?:triggers|start|reentry)(?:\.|$)/.test(path)),
      claims,
      showJson: () => setParams({ tab: 'json' }),
    }),
    [definition, edit, issues, claims, setParams],
  );
  const blocks = blocksOf(definition).flatMap((block) => {
    const [value, name] = [textOf(block, 'id'), textOf(block, 'name')];
    return value === '' ? [] : [{ value, label: name === '' ? value : `${name} (${value})` }];
  });
  const options = blocks.filter(({ value }, at) => blocks.findIndex((other) => other.value === value) === at);
  return (
    <OpenBlockContext value={shared}>
      <div className="panel" ref={place}>
        <div className="panel-head">
          <KindIcon kind={{ icon: IconPlayerPlay, hue: 'green' }} size={36} />
          <div className="panel-title">
            <Title order={2} size="h5" tabIndex={-1}>
              {words.title}
            </Title>
            <Text size="xs" c="dimmed">
              {words.hint}
            </Text>
          </div>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={commonWords.close} onClick={leave}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </div>
        <OtherProblems />
        <Stack gap="sm">
          <ReferenceField path="start" label={words.start} options={options} noneFound={words.noBlock} />
          <ChoiceField
            path="reentry"
            label={words.reentry}
            description={words.reentryHint}
            options={words.reentries}
            byDefault="one_active"
          />
          <TriggersField />
        </Stack>
      </div>
    </OpenBlockContext>
  );
};
