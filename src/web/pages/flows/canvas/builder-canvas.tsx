import './canvas.css';
import { Skeleton } from '@mantine/core';
import { ReactFlowProvider } from '@xyflow/react';
import type { Staged } from '../builder/stage.tsx';
import { Surface } from './surface.tsx';

/** The draft as it is built on a drawing. */
export const BuilderCanvas = ({ flow, drawn }: Staged) => (
  <ReactFlowProvider>{drawn ? <Surface flow={flow} {...drawn} /> : <Skeleton height={380} />}</ReactFlowProvider>
);
