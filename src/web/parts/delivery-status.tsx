import { t as say } from 'i18next';
import type { Schemas } from '../api/client.ts';
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
  <Status tone={tones[status]}>{say(`deliveries:statuses.${status}`)}</Status>
);
