import { TextInput } from '@mantine/core';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { focusFirst } from './hold.ts';
import { words } from './words.ts';

export type Option = {
  value: string;
  label: string;
  /** Paler, beside the label; it is searched, too. */
  hint?: string | undefined;
  icon?: ReactNode;
  group?: string | undefined;
};

type Props = {
  label: string;
  options: readonly Option[];
  /** Where its corner is to stand, in px from that of the canvas. It stays within the canvas. Without a place it stands among other fields. */
  at?: { x: number; y: number };
  onChoose: (value: string) => void;
  /** Left by a key, after which the focus goes back to the canvas, or for something else. */
  onClose: (how: 'key' | 'blur') => void;
};

const show = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

const fold = (text: string): string => text.toLowerCase().normalize('NFKD');

/** A list at a place of the canvas, of which one is chosen: typing filters, Enter takes, Escape leaves. */
export const Chooser = ({ label, options, at, onChoose, onClose }: Props) => {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useMemo(() => {
    const searched = fold(query.trim());
    const seen = new Set<string>();
    return options.filter(({ value, label: name, hint = '' }) => {
      if (searched === '') return true;
      // One that stands in two groups is found once.
      if (seen.has(value) || !fold(`${name} ${hint}`).includes(searched)) return false;
      seen.add(value);
      return true;
    });
  }, [options, query]);
  const chosen = Math.min(active, found.length - 1);

  useLayoutEffect(() => {
    const { current } = box;
    const around = current?.parentElement;
    if (!current || !around) return;
    if (at) current.style.left = `${Math.max(8, Math.min(at.x, around.clientWidth - current.offsetWidth - 8))}px`;
    if (at) current.style.top = `${Math.max(8, Math.min(at.y, around.clientHeight - current.offsetHeight - 8))}px`;
    // What it stands in may reach beyond the window.
    current.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((chosen + step + found.length) % Math.max(found.length, 1));
    else if (event.key === 'Escape' || event.key === 'Tab') onClose('key');
    else if (event.key === 'Enter') {
      const option = found[chosen];
      if (option) onChoose(option.value);
    } else return;
    event.preventDefault();
  };

  return (
    // The keys are those of the field inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className="chooser nopan nodrag nowheel"
      data-is-inline={!at}
      role="dialog"
      aria-label={label}
      onKeyDown={press}
      onBlur={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) onClose('blur');
      }}
    >
      <div className="chooser-label">{label}</div>
      <TextInput
        ref={focusFirst}
        size="sm"
        placeholder={words.filter}
        aria-label={label}
        role="combobox"
        aria-expanded
        aria-controls={id}
        {...(found[chosen] && { 'aria-activedescendant': `${id}-${chosen}` })}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setActive(0);
        }}
      />
      <div className="chooser-list" role="listbox" id={id} aria-label={label}>
        {found.map((option, index) => (
          <div key={`${option.group ?? ''} ${option.value}`} role="presentation">
            {option.group !== undefined && option.group !== found[index - 1]?.group && query.trim() === '' && (
              <div className="chooser-group" role="presentation">
                {option.group}
              </div>
            )}
            {/* The field above has the focus and takes the keys. */}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
            <div
              {...(index === chosen && { ref: show })}
              id={`${id}-${index}`}
              className="chooser-option"
              role="option"
              aria-selected={index === chosen}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActive(index)}
              onClick={() => onChoose(option.value)}
            >
              {option.icon}
              <span className="chooser-name">{option.label}</span>
              {option.hint !== undefined && <span className="chooser-hint">{option.hint}</span>}
            </div>
          </div>
        ))}
        {found.length === 0 && <div className="chooser-group">{words.noneFound}</div>}
      </div>
    </div>
  );
};
