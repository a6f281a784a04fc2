import { Link } from 'react-router';
import { sayTime } from '../../../parts/time.tsx';
import { sayNumber } from '../../../words/numbers.ts';
import { sayDuration } from '../../runs/say-duration.ts';
import { useShownNumbers, type Numbers } from './numbers-context.ts';
import { words } from './words.ts';

/** How runs went through a block in the last seven days, below it; what can be listed leads to those runs. */
export const BlockNumbers = ({ blockId }: { blockId: string }) => {
  const shown = useShownNumbers();
  const numbers = shown?.numbersAt(blockId);
  if (!shown || !numbers) return null;
  const { runsAt, since } = shown;
  const { block_id: id, entered, here, failed, cancelled, median_ms: medianMs } = numbers;
  return (
    <span className="block-numbers nodrag nopan" title={sayBalance(numbers, since)}>
      <span>{words.numbers.entered(sayNumber(entered))}</span>
      {here.count > 0 && (
        <Link to={runsAt({ block: id })} data-tone="busy">
          {words.numbers.here(`${sayNumber(here.count)}${here.more ? '+' : ''}`)}
        </Link>
      )}
      {failed > 0 && (
        <Link to={runsAt({ block: id, status: 'failed' })} data-tone="bad">
          {words.numbers.failed(sayNumber(failed))}
        </Link>
      )}
      {cancelled > 0 && <span>{words.numbers.cancelled(sayNumber(cancelled))}</span>}
      {medianMs !== null && <span>{words.numbers.median(sayDuration(medianMs))}</span>}
    </span>
  );
};

type PortCountProps = { blockId: string; port: string; isAtHead?: boolean };

/** How often a port was taken in that time, also by runs that failed by it. */
export const PortCount = ({ blockId, port, isAtHead = false }: PortCountProps) => {
  const numbers = useShownNumbers()?.numbersAt(blockId);
  if (!numbers) return null;
  const count = (numbers.left[port] ?? 0) + (numbers.failed_by[port] ?? 0);
  return (
    <span className="port-count" data-is-at-head={isAtHead}>
      {sayNumber(count)}
    </span>
  );
};

/** The sum of a block: what came on the one side, where that is on the other. Since when, where that is not a week. */
const sayBalance = (
  { before, entered, left, ended, failed, cancelled, here, uncounted }: Numbers,
  since: string | undefined,
): string => {
  const wentOn = Object.values(left).reduce((sum, count) => sum + count, 0);
  const { balance } = words.numbers;
  const parts = (all: readonly (readonly [number, (count: string) => string])[]): string =>
    all.flatMap(([count, say]) => (count > 0 ? [say(sayNumber(count))] : [])).join(' + ') || '0';
  const came = parts([
    [before ?? 0, since === undefined ? balance.weekAgo : balance.before],
    [entered, balance.entered],
  ]);
  const are = parts([
    [wentOn, balance.wentOn],
    [ended, balance.ended],
    [failed, balance.failed],
    [cancelled, balance.cancelled],
    [here.count, balance.here],
    [uncounted, balance.uncounted],
  ]);
  const sum = before === null ? are : `${came} = ${are}`;
  return since === undefined ? sum : balance.since(sayTime(since), sum);
};
