import './request.css';
import { Stack, Tabs } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBuilder } from '../builder/builder-context.ts';
import type { Tone } from '../../../parts/status.tsx';
import type { BlockFormProps } from '../panel/block-form.ts';
import { useOpenBlock } from '../panel/open-block.ts';
import { AuthPart } from './auth-part.tsx';
import { BodyPart } from './body-part.tsx';
import { ErrorsPart } from './errors-part.tsx';
import { MappingPart } from './mapping-part.tsx';
import { PasteCurl } from './paste-curl.tsx';
import { RequestPart } from './request-part.tsx';
import { TestPart, type KeptTest } from './test-part.tsx';
import { tabOf, tabOfField, tabs, tallyOf, type Tab, type Tally } from './tabs.ts';
import { words } from './words.ts';

/** What an External Request sends, and makes of the answer. */
export const RequestForm = (props: BlockFormProps) => {
  const { block, issues } = props;
  const { opened } = useBuilder();
  const { claims, id } = useOpenBlock();
  const [tab, setTab] = useState<Tab>('request');
  // What was answered stays while another tab is open.
  const kept = useState<KeptTest>({ typed: new Map() });
  const [pasted, setPasted] = useState<string>();
  const wanted = opened?.blockId === id ? opened : undefined;
  const tally = tallyOf(block, issues);
  const [shown, setShown] = useState<typeof wanted>();
  if (wanted !== shown) {
    setShown(wanted);
    setTab((wanted && tabOf(wanted.path)) ?? tab);
  }
  // What is wrong on a tab is counted there.
  useEffect(() => {
    const back = Object.keys(tabOfField).map((field) => claims.add(field, true));
    return () => back.forEach((take) => take());
  }, [claims]);
  return (
    <Stack gap="sm">
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
          <RequestPart set={props.set} pasteCurl={setPasted} />
        </Tabs.Panel>
        <Tabs.Panel value="auth">
          <AuthPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="body">
          <BodyPart {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="mapping">
          <MappingPart />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ErrorsPart />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TestPart {...props} kept={kept} />
        </Tabs.Panel>
      </Tabs>
      {pasted !== undefined && <PasteCurl text={pasted} replaces={id} close={() => setPasted(undefined)} />}
    </Stack>
  );
};

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
