// The shape of this service's handlers of one message.
import type { Context, Outcome } from '@landfall/bus';
import type { InputOf, RequestDef } from '@landfall/contracts';

export type One<D extends RequestDef> = (data: InputOf<D>, context: Context) => Promise<Outcome<D>>;
