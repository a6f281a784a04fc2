import { Select, Stack, Text, Title } from '@mantine/core';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { useBuilder } from '../builder/builder-context.ts';
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

const Port = ({ port: { name, omitted } }: { port: ShownPort }) => {
  const { definition, edit } = useBuilder();
  const { id, block, index } = useOpenBlock();
  const path = `next.${name}`;
  const problems = useProblems(path);
  const to = isObject(block['next']) ? block['next'][name] : undefined;
  if (to !== undefined && to !== null && typeof to !== 'string')
    return <Misfit path={path} label={words.ports.of(name)} />;
  const all: readonly unknown[] = Array.isArray(definition['blocks']) ? definition['blocks'] : [];
  const following = all[index + 1];
  const titles = new Map(blocksOf(definition).map((other) => [textOf(other, 'id'), titleOf(other)]));
  if (typeof to === 'string' && !titles.has(to)) titles.set(to, words.ports.missing(to));
  const sayLeftOut = {
    following: isObject(following) ? words.ports.following(titleOf(following)) : words.ports.end,
    fails: words.ports.fails,
    error: words.ports.unset,
    none: words.ports.none,
  }[omitted];
  const choose = (chosen: string): void =>
    edit({ label: words.ports.connect(name) }, (before) =>
      connect(before, {
        from: id,
        port: name,
        to: chosen === leftOut ? undefined : chosen === endsFlow ? null : chosen,
      }),
    );
  return (
    <div data-field={path}>
      <Select
        label={
          <>
            {words.ports.of(name)}{' '}
            {omitted === 'none' && (
              <Text span size="xs" c="dimmed">
                {words.ports.unknown}
              </Text>
            )}
          </>
        }
        data={[
          { value: leftOut, label: sayLeftOut },
          { value: endsFlow, label: words.ports.completes },
          ...[...titles].flatMap(([value, label]) => (value === '' ? [] : [{ value, label }])),
        ]}
        value={to === undefined ? leftOut : to === null ? endsFlow : to}
        onChange={(chosen) => chosen !== null && choose(chosen)}
        allowDeselect={false}
        searchable
        comboboxProps={mountedOpen}
        aria-describedby={problems.length > 0 ? `${path}-problems` : undefined}
      />
      <FieldProblems id={`${path}-problems`} problems={problems} />
    </div>
  );
};

/** A block as people call it, with its id where that says something else. */
const titleOf = (block: Readonly<Record<string, unknown>>): string => {
  const [id, name] = [textOf(block, 'id'), textOf(block, 'name')];
  return name === '' ? id : `${name} (${id})`;
};
