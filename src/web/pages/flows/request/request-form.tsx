import './request.css';
import { Stack, Tabs } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useBuilder } from '../builder/builder-context.ts';
import type { Tone } from '../../../parts/status.tsx';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { AuthPart } from './auth-part.tsx';
import { BodyPart } from './body-part.tsx';
import { ErrorsPart } from './errors-part.tsx';
import { IssueNotes } from './issue-notes.tsx';
import { MappingPart } from './mapping-part.tsx';
import { RequestPart } from './request-part.tsx';
import { tabOf, tabs, tallyOf, type Tab, type Tally } from './tabs.ts';
import { words } from './words.ts';

/** What an External Request sends, and makes of the answer. */
export const RequestForm = (props: BlockFormProps) => {
  const { block, issues } = props;
  const { opened } = useBuilder();
  const [tab, setTab] = useState<Tab>('request');
  const root = useRef<HTMLDivElement>(null);
  const wanted = opened?.blockId === textOf(block, 'id') ? opened : undefined;
  const tally = tallyOf(block, issues);
  const [shown, setShown] = useState<typeof wanted>();
  if (wanted !== shown) {
    setShown(wanted);
    setTab((wanted && tabOf(wanted.path)) ?? tab);
  }
  useEffect(() => {
    if (wanted && tabOf(wanted.path) === tab) focusPath(root.current, wanted.path);
  }, [wanted, tab]);
  return (
    <Stack ref={root} gap="sm">
      <IssueNotes areNamed issues={issues.filter(({ path }) => tabOf(path) === undefined && !hasForm(path))} />
      <Tabs
        value={tab}
        onChange={(next) => setTab(tabs.find((known) => known === next) ?? 'request')}
        keepMounted={false}
      >
        <Tabs.List mb="sm" aria-label={words.editor}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name} className="request-tab" rightSection={<Count {...tally[name]} />}>
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="request">
          <RequestPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="auth">
          <AuthPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="body">
          <BodyPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="mapping">
          <MappingPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ErrorsPart {...props} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

/** Whether the panel has a form for it that every block has. */
const hasForm = (path: string): boolean => /^(?:id|name|next)\b/.test(path);

/** The number of problems of a tab, else of what is there. */
const Count = ({ errors, warnings, values }: Tally) => {
  if (errors > 0) return <Bubble count={errors} tone="bad" label={words.tabProblems(errors)} />;
  if (warnings > 0) return <Bubble count={warnings} tone="waiting" label={words.tabWarnings(warnings)} />;
  return values > 0 ? <Bubble count={values} tone="off" label={words.tabValues(values)} /> : null;
};

const Bubble = ({ count, tone, label }: { count: number; tone: Tone; label: string }) => (
  <span className="status request-count" data-tone={tone} role="img" aria-label={label}>
    {count}
  </span>
);

/** Goes to the control of a path, or of the nearest one above it. */
const focusPath = (root: HTMLElement | null, path: string): void => {
  const places = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const above = places.filter(({ dataset }) => path === dataset['field'] || path.startsWith(`${dataset['field']}.`));
  const [nearest] = above.toSorted((a, b) => (b.dataset['field'] ?? '').length - (a.dataset['field'] ?? '').length);
  nearest?.querySelector<HTMLElement>('input, textarea, button, [contenteditable]')?.focus();
};
