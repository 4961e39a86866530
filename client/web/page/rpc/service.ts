// The analysis service, reached through the gateway that served this page.

import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { AnalysisService } from "../../generated/kibitz/v1/analysis_pb.ts";

export type Service = Client<typeof AnalysisService>;

export function connectService(baseUrl: string): Service {
  return createClient(AnalysisService, createConnectTransport({ baseUrl, useBinaryFormat: true }));
}
