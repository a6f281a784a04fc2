import { Group, Stack, Text } from '@mantine/core';
import { useState, type PointerEvent } from 'react';
import { sayNumber } from '../words/numbers.ts';

/** The colours of series, which `page.css` has for both schemes. */
type Hue = 'one' | 'two' | 'bad' | 'warn';

type Series = { name: string; hue: Hue; values: readonly (number | null)[] };

type Props = {
  title: string;
  /** What each point is called. */
  points: readonly string[];
  series: readonly Series[];
  kind: 'bars' | 'lines';
  /** How a number is told; with separators of thousands when not given. */
  say?: (value: number) => string;
};

const [width, height] = [1_000, 200];

/**
 * Numbers over time, as bars on each other or as lines. Whoever points at it reads the numbers of that point. Screen readers leave it out: its page
 * has the same numbers as a table.
 */
export const Chart = ({ title, points, series, kind, say = sayNumber }: Props) => {
  const [at, setAt] = useState<number>();
  const top = topOf(series, kind);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / wide) * points.length);
    setAt(Math.min(points.length - 1, Math.max(0, place)));
  };
  const Marks = kind === 'bars' ? Bars : Lines;
  const isMany = points.length > 2;
  return (
    <Stack gap="xs" className="chart" aria-hidden>
      <Text fw={600}>{title}</Text>
      <Group gap="sm" className="chart-legend">
        {at !== undefined && <Text size="sm">{points[at]}</Text>}
        {series.map(({ name, hue, values }) => (
          <Group key={name} gap={6}>
            <span className="chart-key" data-hue={hue} />
            <Text size="sm" c="dimmed">
              {name} {at !== undefined && <b>{sayOf(values[at], say)}</b>}
            </Text>
          </Group>
        ))}
      </Group>
      <div className="chart-frame">
        <Text size="xs" c="dimmed">
          {say(top)}
        </Text>
        <div className="chart-plot" onPointerMove={point} onPointerDown={point} onPointerLeave={() => setAt(undefined)}>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
            {[0.5, 1].map((part) => (
              <line key={part} x1={0} x2={width} y1={height * (1 - part)} y2={height * (1 - part)} data-part="grid" />
            ))}
            {at !== undefined && (
              <rect
                x={(at * width) / points.length}
                y={0}
                width={width / points.length}
                height={height}
                data-part="here"
              />
            )}
            <Marks series={series} count={points.length} top={top} />
          </svg>
        </div>
        <Group justify="space-between" wrap="nowrap">
          {[0, ...(isMany ? [Math.floor(points.length / 2)] : []), points.length - 1].map((place) => (
            <Text key={place} size="xs" c="dimmed">
              {points[place]}
            </Text>
          ))}
        </Group>
      </div>
    </Stack>
  );
};

const sayOf = (value: number | null | undefined, say: (value: number) => string): string =>
  value === null || value === undefined ? '–' : say(value);

/** The number that the frame ends at: the least of 1, 2 and 5 times a power of ten that all fit below. */
const topOf = (series: readonly Series[], kind: Props['kind']): number => {
  const count = series[0]?.values.length ?? 0;
  const heights = Array.from({ length: count }, (_, place) => {
    const values = series.map(({ values: of }) => of[place] ?? 0);
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const most = Math.max(1, ...heights);
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5].find((times) => times * power >= most) ?? 10);
};

type Marked = { series: readonly Series[]; count: number; top: number };

const Bars = ({ series, count, top }: Marked) => {
  const step = width / count;
  return Array.from({ length: count }, (_, place) => {
    let below = 0;
    return (
      <g key={place}>
        {series.map(({ name, hue, values }) => {
          const tall = ((values[place] ?? 0) / top) * height;
          below += tall;
          return (
            <rect
              key={name}
              x={(place + 0.12) * step}
              width={step * 0.76}
              y={height - below}
              height={tall}
              data-hue={hue}
            />
          );
        })}
      </g>
    );
  });
};

/** How wide the dot of a lone number is, of the first series on; later ones lie below and show as rings around it. In pixels. */
const dotWidths = [8, 11, 14];

/** Lines that end where there is no number. A number without neighbours would be a line without length: it is a dot that is seen. */
const Lines = ({ series, count, top }: Marked) =>
  series
    .map(({ name, hue, values }, order) => {
      const step = width / count;
      const has = (place: number): boolean => typeof values[place] === 'number';
      const at = (value: number, place: number): string =>
        `${((place + 0.5) * step).toFixed(1)} ${(height - (value / top) * height).toFixed(1)}`;
      const drawn = values.flatMap((value, place) =>
        value === null
          ? []
          : [{ here: at(value, place), isFirst: !has(place - 1), isLone: !has(place - 1) && !has(place + 1) }],
      );
      const line = drawn.filter(({ isLone }) => !isLone).map(({ here, isFirst }) => `${isFirst ? 'M' : 'L'}${here}`);
      const dots = drawn.filter(({ isLone }) => isLone).map(({ here }) => `M${here}h0`);
      return (
        <g key={name} data-hue={hue}>
          <path d={line.join('')} />
          <path d={dots.join('')} data-part="dots" style={{ strokeWidth: dotWidths[order] }} />
        </g>
      );
    })
    .toReversed();
