import { Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { commonWords } from '../words/common.ts';
import { toLocalInput } from './local-input.ts';

type Range = { since?: string | undefined; until?: string | undefined };

type Props = { range: Range; setRange: (range: { since: string | null; until: string | null }) => void };

const spans = [
  ['lastHour', 3_600_000],
  ['lastDay', 86_400_000],
  ['lastWeek', 7 * 86_400_000],
] as const;

/** ISO 8601 as a field for local times has it; empty for what is no time. */
const toLocal = (iso: string | undefined): string => {
  const at = new Date(iso ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? '' : toLocalInput(at);
};

/** Of a year that is being typed, a field has the first digits: 0002, 0020, 0202. */
const leastYear = 1_000;

/** The time that a field has, in ISO 8601; null while it has none, and undefined while it is being typed. */
const fromLocal = (text: string): string | null | undefined => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return null;
  return at.getFullYear() < leastYear ? undefined : at.toISOString();
};

type TimeInputProps = { label: string; time: string | undefined; setTime: (time: string | null) => void };

/** A field for a time, which keeps what is typed until that is a time. */
const TimeInput = ({ label, time, setTime }: TimeInputProps) => {
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={typed ?? toLocal(time)}
      onChange={({ currentTarget: { value } }) => {
        const read = fromLocal(value);
        setTyped(read === undefined ? value : undefined);
        if (read !== undefined) setTime(read);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
};

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** From when until when, in the user's zone. */
export const TimeRange = ({ range: { since, until }, setRange }: Props) => {
  // Kept by this part: the url has a time, of which nobody knows that it was the last hour once.
  const [chosen, setChosen] = useState<{ words: (typeof spans)[number][0]; since: string }>();
  const choose = (words: (typeof spans)[number][0], ms: number): void => {
    const at = ago(ms);
    setChosen({ words, since: at });
    setRange({ since: at, until: null });
  };
  const rest = { since: since ?? null, until: until ?? null };
  return (
    <>
      <TimeInput label={commonWords.since} time={since} setTime={(time) => setRange({ ...rest, since: time })} />
      <TimeInput label={commonWords.until} time={until} setTime={(time) => setRange({ ...rest, until: time })} />
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {chosen !== undefined && chosen.since === since && until === undefined
              ? commonWords[chosen.words]
              : commonWords.lately}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {spans.map(([words, ms]) => (
            <Menu.Item key={words} onClick={() => choose(words, ms)}>
              {commonWords[words]}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setRange({ since: null, until: null })}>{commonWords.anyTime}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
};
