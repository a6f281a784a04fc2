import './panel.css';
import { Tabs } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { startId, useBuilder } from '../builder/builder-context.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { setAt } from '../edits/at.ts';
import { changeBlock, findBlock, setFields, textOf } from '../edits/blocks.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { Issue } from '../json/issue-list.tsx';
import type { AnyDefinition } from '../definition-text.ts';
import { indexOf, isId } from '../edits/refs.ts';
import { forms } from './forms.ts';
import { Head } from './head.tsx';
import { OpenBlockContext, type OpenBlock } from './open-block.ts';
import { Ports } from './ports.tsx';
import { createClaims } from './problems/claims.ts';
import { OwnId } from './own-id.tsx';
import { findBlockOf, placeOf } from './problems/fix.ts';
import { OtherProblems } from './problems/other-problems.tsx';
import { SampleContact } from './sample-contact.tsx';
import { StartForm } from './start/start-form.tsx';
import { TemplateNames } from './template/names-context.tsx';
import { useOpened } from './use-opened.ts';
import { words } from './words.ts';

const BlockJson = lazy(async () => ({ default: (await import('./block-json.tsx')).BlockJson }));

/** The form of the selected block, or of the start. */
export const Panel = () => {
  const { definition, selected } = useBuilder();
  const [id = ''] = selected;
  if (id === startId)
    return (
      <TemplateNames index={undefined}>
        <StartForm />
      </TemplateNames>
    );
  const block = findBlock(definition, id);
  if (!block) return null;
  const index = indexOf(definition, id);
  return (
    <TemplateNames index={index}>
      <BlockPanel key={id} id={id} index={index} block={block} />
    </TemplateNames>
  );
};

type Props = {
  /** What names the block. */
  id: string;
  index: number;
  block: RawBlock;
};

const BlockPanel = ({ id, index, block }: Props) => {
  const { definition, edit, issues } = useBuilder();
  const [tab, setTab] = useState<string | null>('form');
  const [claims] = useState(createClaims);
  const place = useRef<HTMLDivElement>(null);
  const showJson = useCallback((): void => setTab('json'), []);
  const type = textOf(block, 'type');
  const Form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  const own = useMemo(() => issuesOf(issues, definition, id), [issues, definition, id]);
  const title = isId(id) ? id : titleOf({ id: textOf(block, 'id'), raw: block });
  const shared = useMemo((): OpenBlock => {
    return {
      id,
      block,
      index,
      base: `blocks.${index}`,
      setAt: (path, value) =>
        edit({ label: words.change(title), gesture: `${id} ${path}` }, (before) =>
          changeBlock(before, id, (now) => {
            const changed = setAt(now, path, value);
            return isObject(changed) ? changed : now;
          }),
        ),
      issues: own,
      claims,
      showJson,
    };
  }, [block, index, id, title, edit, own, claims, showJson]);
  const set = (fields: Readonly<Record<string, unknown>>, field = Object.keys(fields).join()): void =>
    edit({ label: words.change(title), gesture: `${id} ${field}` }, (before) =>
      changeBlock(before, id, (now) => setFields(now, fields)),
    );
  useOpened(id, place, () => setTab('form'));
  return (
    <OpenBlockContext value={shared}>
      <div className="panel" ref={place}>
        <Head id={id} block={block} />
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="form">{words.tabs.form}</Tabs.Tab>
            <Tabs.Tab value="json">{words.tabs.json}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form" className="panel-form">
            <OwnId />
            <OtherProblems />
            {Form && <Form block={block} set={set} issues={shared.issues} />}
            <Ports />
            {/* The test of an External Request asks for it itself. */}
            {type !== 'external_request' && <SampleContact />}
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <Suspense fallback={null}>
              <BlockJson id={id} block={block} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      </div>
    </OpenBlockContext>
  );
};

/** The problems of a block by paths within it. */
const issuesOf = (issues: readonly Issue[], definition: AnyDefinition, id: string): Issue[] =>
  issues.flatMap((issue) =>
    findBlockOf(definition, issue) === id ? [{ ...issue, path: placeOf(issue.path)?.within ?? '' }] : [],
  );
