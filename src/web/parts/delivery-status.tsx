import type { Schemas } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import { Status, type Tone } from './status.tsx';

type Delivery = Schemas['Delivery'];

const tones: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'busy',
  retrying: 'waiting',
  delivered: 'good',
  failed: 'bad',
  dropped: 'bad',
  parked: 'waiting',
  cancelled: 'off',
};

/** The status of a delivery in words. */
export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Status tone={tones[status]}>{deliveryWords.statuses[status]}</Status>
);
