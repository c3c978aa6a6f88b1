// The little of oidc-provider that a simulator uses; the package brings no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Client = {
    clientId: string;
    redirectUriAllowed(uri: string): boolean;
    compareClientSecret(secret: string): boolean | Promise<boolean>;
  };
  export type Interaction = {
    uid: string;
    params: { client_id: string; redirect_uri: string; scope: string };
  };
  export default class Provider {
    constructor(issuer: string, setup: object);
    Client: { new (metadata: object): Client; prototype: Client; find(id: string): Promise<Client | undefined> };
    Grant: new (of: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      how: { mergeWithLastSubmission: boolean },
    ): Promise<string>;
  }
  export const interactionPolicy: {
    base(): { add(prompt: object): void };
    Prompt: new (declaration: { name: string; requestable: boolean }) => object;
  };
}
