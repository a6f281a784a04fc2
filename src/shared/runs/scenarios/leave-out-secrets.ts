import { isSecretName } from '../../platform/secret-names.ts';
import type { Mock, MockAnswer } from '../simulator/simulation.ts';

/** Mocks without the headers that carry secrets by custom: answers that were copied have cookies and tokens in them. */
export const withoutSecretHeaders = (mocks: Readonly<Record<string, Mock>>): Record<string, Mock> =>
  Object.fromEntries(Object.entries(mocks).map(([blockId, mock]) => [blockId, ofBlock(mock)]));

const ofBlock = (mock: Mock): Mock =>
  isList(mock) ? mock.map((visit) => (isList(visit) ? visit.map(ofAnswer) : ofAnswer(visit))) : ofAnswer(mock);

const ofAnswer = (answer: MockAnswer): MockAnswer => {
  if (!('headers' in answer) || !answer.headers) return answer;
  const headers = Object.entries(answer.headers).filter(([name]) => !isSecretName(name));
  return { ...answer, headers: Object.fromEntries(headers) };
};

const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
