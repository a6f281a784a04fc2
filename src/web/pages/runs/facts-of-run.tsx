import type { Schemas } from '../../api/client.ts';
import { CodeLines, Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { OutLink } from '../../parts/out-link.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { temporalWords } from '../../words/temporal.ts';
import { words } from './words.ts';

/** From which versions it was moved, and when. */
const Moves = ({ run: { moves } }: { run: Schemas['RunDetail'] }) => (
  <>
    {moves.map(({ step, from_version: from, to_version: to, moved_at: at }) => (
      <div key={step}>
        {words.movedFrom({ from, to, step })} <Time at={at} />
      </div>
    ))}
  </>
);

/** The ids and times of a run, and what it was begun with. */
export const FactsOfRun = ({ run }: { run: Schemas['RunDetail'] }) => {
  const { parent_run_id: parentId, workflow_url: workflowUrl } = run;
  const { origin_run_id: originId } = run;
  const hasParams = Object.keys(run.params).length > 0;
  return (
    <Facts
      facts={[
        [words.started, <Time key="started" at={run.started_at} format="exact" />],
        [words.ended, run.ended_at && <Time key="ended" at={run.ended_at} format="exact" />],
        [words.stepsEntered, run.step],
        [words.moved, run.moves.length > 0 && <Moves key="moves" run={run} />],
        [
          words.parent,
          parentId && (
            <To key="parent" to={`/runs/${parentId}`}>
              {parentId}
            </To>
          ),
        ],
        [
          words.origin,
          originId && (
            <To key="origin" to={`/runs/${originId}`}>
              {originId}
            </To>
          ),
        ],
        [words.one, <Copyable key="id" value={run.id} label={words.one} />],
        [
          temporalWords.workflow,
          workflowUrl && (
            <OutLink key="workflow" href={workflowUrl}>
              {temporalWords.open}
            </OutLink>
          ),
        ],
        [
          words.params,
          hasParams ? (
            <CodeLines key="params" value={JSON.stringify(run.params, null, 2)} label={words.params} />
          ) : null,
        ],
      ]}
    />
  );
};
