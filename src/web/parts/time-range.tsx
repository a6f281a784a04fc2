import { Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

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
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The time that a field has, in ISO 8601; null while it has none. */
const fromLocal = (text: string): string | null => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** From when until when, in the user's zone. */
export const TimeRange = ({ range: { since, until }, setRange }: Props) => {
  const { t } = useTranslation('shell');
  const rest = { since: since ?? null, until: until ?? null };
  return (
    <>
      <TextInput
        type="datetime-local"
        label={t('since')}
        value={toLocal(since)}
        onChange={({ currentTarget }) => setRange({ ...rest, since: fromLocal(currentTarget.value) })}
      />
      <TextInput
        type="datetime-local"
        label={t('until')}
        value={toLocal(until)}
        onChange={({ currentTarget }) => setRange({ ...rest, until: fromLocal(currentTarget.value) })}
      />
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('lately')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {spans.map(([words, ms]) => (
            <Menu.Item
              key={words}
              onClick={() => setRange({ since: new Date(Date.now() - ms).toISOString(), until: null })}
            >
              {t(words)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setRange({ since: null, until: null })}>{t('anyTime')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
};
