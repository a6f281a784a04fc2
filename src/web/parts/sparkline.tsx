/** The box in which a sparkline is drawn; it takes the width that there is. */
const [width, height] = [100, 24];

/** A series of numbers as a small line without axes; null where there is none. What it shows stands in words beside it. */
export const Sparkline = ({ values }: { values: readonly (number | null)[] }) => {
  const most = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const x = (place: number) => ((place / Math.max(1, values.length - 1)) * width).toFixed(1);
  const points = values.flatMap((value, place) =>
    value === null ? [] : [{ x: x(place), y: (height - 2 - (value / most) * (height - 4)).toFixed(1) }],
  );
  const [first, last] = [points[0], points.at(-1)];
  const line = points.map((point) => `${point.x},${point.y}`).join(' ');
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {first && last && (
        <>
          <polygon points={`${first.x},${height} ${line} ${last.x},${height}`} />
          <polyline points={line} />
        </>
      )}
    </svg>
  );
};

type Bar = { good: number; bad: number };

/** What went well and what did not, as small bars: the parts that failed stand at the bottom, where they are seen. */
export const SparkBars = ({ bars }: { bars: readonly Bar[] }) => {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const step = width / bars.length;
  /** A single failure among thousands is still seen. */
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * height));
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {bars.map(({ good, bad }, place) => {
        const bar = { x: (place * step + step * 0.12).toFixed(1), width: (step * 0.76).toFixed(1) };
        const [badTall, goodTall] = [tall(bad), tall(good)];
        const goodTop = Math.max(0, height - badTall - goodTall);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          <g key={place}>
            {good + bad === 0 && <rect {...bar} y={height - 1} height={1} data-part="none" />}
            <rect {...bar} y={goodTop} height={height - badTall - goodTop} data-part="good" />
            <rect {...bar} y={height - badTall} height={badTall} data-part="bad" />
          </g>
        );
      })}
    </svg>
  );
};
