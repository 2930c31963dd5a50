export * from "@openjarvis/sdk";
