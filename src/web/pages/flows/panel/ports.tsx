import { Select, Stack, Text, Title } from '@mantine/core';
import { memo, useCallback, useRef, useState } from 'react';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { useActing } from '../builder/acting-context.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { Chooser } from '../canvas/chooser.tsx';
import { paletteOptions } from '../canvas/palette.tsx';
import type { AnyDefinition } from '../definition-text.ts';
import { blocksOf, textOf } from '../edits/blocks.ts';
import { connect } from '../edits/connect.ts';
import { mountedOpen } from './controls/lazily.ts';
import { Misfit } from './controls/misfit.tsx';
import { useOpenBlock } from './open-block.ts';
import { shownPortsOf, type ShownPort } from './ports-of.ts';
import { FieldProblems, useProblems } from './problems/field-problems.tsx';
import { words } from './words.ts';

/** Where each port of the open block leads. */
export const Ports = () => {
  const { block } = useOpenBlock();
  const { next } = block;
  const ports = shownPortsOf(block);
  if (ports.length === 0) return null;
  return (
    <section className="panel-part" aria-label={words.ports.title}>
      <Title order={3} size="h6">
        {words.ports.title}
      </Title>
      {next === undefined || isObject(next) ? (
        <Stack gap="xs">
          {ports.map((port) => (
            <Port key={port.name} port={port} />
          ))}
        </Stack>
      ) : (
        <Misfit path="next" label={words.ports.title} />
      )}
    </section>
  );
};

/** Values of the select that are no ids of blocks, which have no blank. */
const leftOut = ' left out';
const endsFlow = ' end';
const newBlock = ' new';

const Port = ({ port: { name, omitted } }: { port: ShownPort }) => {
  const { definition, edit } = useBuilder();
  const { id, block, index } = useOpenBlock();
  const { actions } = useActing();
  const [isAdding, setAdding] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const path = `next.${name}`;
  const problems = useProblems(path);
  const targets = useTargets(definition);
  const to = isObject(block['next']) ? block['next'][name] : undefined;
  const choose = useCallback(
    (chosen: string): void => {
      const origin = { from: id, port: name };
      if (chosen === newBlock) setAdding(true);
      else if (chosen === leftOut)
        edit({ label: words.ports.connect(name) }, (before) => connect(before, { ...origin, to: undefined }));
      else actions.wire(origin, chosen === endsFlow ? null : chosen);
    },
    [edit, actions, id, name],
  );
  if (to !== undefined && to !== null && typeof to !== 'string')
    return <Misfit path={path} label={words.ports.of(name)} />;
  const all: readonly unknown[] = Array.isArray(definition['blocks']) ? definition['blocks'] : [];
  const following = all[index + 1];
  const sayLeftOut = {
    following: isObject(following) ? words.ports.following(titleOf(following)) : words.ports.end,
    fails: words.ports.fails,
    error: words.ports.unset,
    none: words.ports.none,
  }[omitted];
  return (
    <div data-field={path} ref={place}>
      <TargetSelect
        name={name}
        isUnknown={omitted === 'none'}
        targets={targets}
        leftOutMeans={sayLeftOut}
        to={to}
        choose={choose}
        describedBy={problems.length > 0 ? `${path}-problems` : undefined}
      />
      {isAdding && (
        <Chooser
          label={words.ports.addAt(name)}
          options={paletteOptions()}
          onChoose={(type) => {
            setAdding(false);
            actions.add(type, { after: { from: id, port: name } });
          }}
          onClose={(how) => {
            setAdding(false);
            if (how === 'key') place.current?.querySelector('input')?.focus();
          }}
        />
      )}
      <FieldProblems id={`${path}-problems`} problems={problems} />
    </div>
  );
};

type Target = { value: string; label: string };

/** The blocks that a port may lead to; the same list while their titles are the same, for rendering hundreds takes long. */
const useTargets = (definition: AnyDefinition): readonly Target[] => {
  const titles = new Map(blocksOf(definition).map((block) => [textOf(block, 'id'), titleOf(block)]));
  const [kept, keep] = useState<readonly Target[]>([]);
  const isSame =
    [...titles.keys()].filter((id) => id !== '').length === kept.length &&
    kept.every(({ value, label }) => titles.get(value) === label);
  if (isSame) return kept;
  const now = [...titles].flatMap(([value, label]) => (value === '' ? [] : [{ value, label }]));
  keep(now);
  return now;
};

type TargetProps = {
  name: string;
  isUnknown: boolean;
  targets: readonly Target[];
  leftOutMeans: string;
  to: string | null | undefined;
  choose: (chosen: string) => void;
  describedBy: string | undefined;
};

const TargetSelect = memo(({ name, isUnknown, targets, leftOutMeans, to, choose, describedBy }: TargetProps) => (
  <Select
    label={
      <>
        {words.ports.of(name)}{' '}
        {isUnknown && (
          <Text span size="xs" c="dimmed">
            {words.ports.unknown}
          </Text>
        )}
      </>
    }
    data={[
      { value: leftOut, label: leftOutMeans },
      { value: endsFlow, label: words.ports.completes },
      { value: newBlock, label: words.ports.newBlock },
      ...targets,
      ...(typeof to === 'string' && !targets.some(({ value }) => value === to)
        ? [{ value: to, label: words.ports.missing(to) }]
        : []),
    ]}
    value={to === undefined ? leftOut : to === null ? endsFlow : to}
    onChange={(chosen) => chosen !== null && choose(chosen)}
    allowDeselect={false}
    searchable
    comboboxProps={mountedOpen}
    aria-describedby={describedBy}
  />
));
TargetSelect.displayName = 'TargetSelect';

/** A block as people call it, with its id where that says something else. */
const titleOf = (block: Readonly<Record<string, unknown>>): string => {
  const [id, name] = [textOf(block, 'id'), textOf(block, 'name')];
  return name === '' ? id : `${name} (${id})`;
};
