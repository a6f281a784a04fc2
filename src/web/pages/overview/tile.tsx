import { Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Sparkline } from '../../parts/sparkline.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { words } from './words.ts';

/** How a number has changed since the period before, as a share of that; `isGood`: whether that is welcome, where it is either. */
export type Change = { share: number; isGood?: boolean };

type Props = {
  name: string;
  figure: string;
  /** What the number is made of. */
  note?: string | undefined;
  change: Change | undefined;
  values: readonly (number | null)[];
  to: string;
};

/** A number of a period that leads to what it counts, with how it went and how it changed. */
export const Tile = ({ name, figure, note, change, values, to }: Props) => {
  const isLink = useMayOpen()(to);
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Group gap="xs" align="baseline">
        <Text fz={26} lh={1.2} fw={650}>
          {figure}
        </Text>
        {change && <Changed change={change} />}
      </Group>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
      <Sparkline values={values} />
    </>
  );
  return isLink ? (
    <Paper component={Link} to={to} className="tile" withBorder p="md">
      {content}
    </Paper>
  ) : (
    <Paper className="tile" withBorder p="md">
      {content}
    </Paper>
  );
};

/** Below this share nothing has changed that is worth a look. */
const noticeable = 0.005;

const Changed = ({ change: { share, isGood } }: { change: Change }) => {
  if (Math.abs(share) < noticeable) return null;
  const Arrow = share > 0 ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className="change" data-tone={isGood === undefined ? undefined : isGood ? 'good' : 'bad'}>
      <Arrow size={14} aria-hidden />
      {words.share(Math.abs(share))}
      <VisuallyHidden> {share > 0 ? words.more : words.less}</VisuallyHidden>
    </span>
  );
};

/** The change of a number; undefined where there was none before, or is none now. */
export const changeOf = (
  now: number | null | undefined,
  before: number | null | undefined,
  welcome?: 'more' | 'less',
): Change | undefined => {
  if (now === null || now === undefined || !before) return undefined;
  const share = (now - before) / before;
  return { share, ...(welcome && { isGood: share > 0 === (welcome === 'more') }) };
};
