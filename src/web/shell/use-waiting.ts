import { api, type Schemas } from '../api/client.ts';

/** How many conversations nobody has read, and how many contacts wait for an agent, as far as it is known. Hints keep it up to date. */
export const useWaiting = (): Schemas['Waiting'] | undefined => api.useQuery('get', '/overview/waiting').data;
