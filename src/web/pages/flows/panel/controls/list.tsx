import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { FieldProblems } from '../problems/field-problems.tsx';
import { Misfit } from './misfit.tsx';
import { useAt } from './use-at.ts';
import { words } from './words.ts';

export type AddMenuProps = { append: (item: unknown) => void; isFull: boolean };

type Props = {
  path: string;
  label: string;
  description?: string;
  /** What an item is called: "Message 2". */
  nameOf: (number: number) => string;
  /** What a button adds to the end, and what it says; a menu where there are several kinds. */
  add: { create: () => unknown; label: string } | { menu: ComponentType<AddMenuProps> };
  most: number;
  /** Whether an empty list is taken away. */
  isOptional?: boolean;
  /** The controls of an item, at its path. */
  children: (path: string, index: number) => ReactNode;
  /** Whether items are a line each. */
  isCompact?: boolean;
};

/** A list of the open block, whose items can be added, removed, and moved by buttons. */
export const ListField = (props: Props) => {
  const { path, label, description, nameOf, add, most, isOptional = false, children, isCompact } = props;
  const { value, set, problems, problemsId } = useAt(path, { isWhole: false });
  const place = useRef<HTMLFieldSetElement>(null);
  const focusNext = useRef<string>(undefined);
  useEffect(() => {
    const selector = focusNext.current;
    focusNext.current = undefined;
    if (selector !== undefined) place.current?.querySelector<HTMLElement>(selector)?.focus();
  });
  if (value !== undefined && !Array.isArray(value)) return <Misfit path={path} label={label} />;
  const items: readonly unknown[] = value ?? [];
  const put = (next: readonly unknown[]): void => set(next.length === 0 && isOptional ? undefined : next);
  const append = (item: unknown): void => {
    focusNext.current = `[data-field^="${path}.${items.length}"] :is(input, textarea, [contenteditable=true])`;
    put([...items, item]);
  };
  const remove = (index: number): void => {
    focusNext.current = `[data-remove="${Math.min(index, items.length - 2)}"], [data-add]`;
    put(items.filter((_, other) => other !== index));
  };
  const move = (index: number, to: number): void => {
    focusNext.current = `[data-move="${to} ${to < index ? 'up' : 'down'}"]:not(:disabled), [data-move^="${to} "]:not(:disabled)`;
    const next = items.toSpliced(index, 1);
    put(next.toSpliced(to, 0, items[index]));
  };
  return (
    <fieldset className="panel-list" data-field={path} ref={place} aria-describedby={problemsId}>
      <legend>{label}</legend>
      {description !== undefined && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      {items.map((_, index) => {
        const name = nameOf(index + 1);
        const at = `${path}.${index}`;
        return (
          // Items have no ids of their own.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} role="group" aria-label={name} className={isCompact ? 'panel-row' : 'panel-item'}>
            {isCompact && <div>{children(at, index)}</div>}
            <Group gap={2} justify={isCompact ? 'flex-end' : 'space-between'} wrap="nowrap">
              {!isCompact && (
                <Text size="sm" fw={600}>
                  {name}
                </Text>
              )}
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  data-move={`${index} up`}
                  disabled={index === 0}
                  aria-label={words.moveUp(name)}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  data-move={`${index} down`}
                  disabled={index === items.length - 1}
                  aria-label={words.moveDown(name)}
                  onClick={() => move(index, index + 1)}
                >
                  <IconArrowDown size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  data-remove={index}
                  aria-label={words.remove(name)}
                  onClick={() => remove(index)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
            {!isCompact && children(at, index)}
          </div>
        );
      })}
      {'menu' in add ? (
        <add.menu append={append} isFull={items.length >= most} />
      ) : (
        <Button
          size="xs"
          variant="default"
          data-add=""
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={items.length >= most}
          onClick={() => append(add.create())}
        >
          {add.label}
        </Button>
      )}
      <FieldProblems id={problemsId} problems={problems} />
    </fieldset>
  );
};
