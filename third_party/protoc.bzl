"""C++ code from .proto files by Debian's protoc and its gRPC plugin."""

def cc_protoc_library(name, protos, import_path, srcs = [], imports = [], grpc = False, deps = [], **kwargs):
    """A cc_library of the messages (and, with grpc, the services) of some .proto files.

    Args:
      name: the library's name.
      protos: the files' paths below import_path, the way they are imported.
      import_path: where protoc looks for them: a folder of this repository, or one that a Debian package installs.
      srcs: the labels of the files that are part of this repository, so that Bazel knows when they change.
      imports: other folders of this repository where protoc looks for what they import.
      grpc: whether to generate service stubs as well.
      deps: the libraries of the .proto files they import.
      **kwargs: passed to cc_library.
    """
    suffixes = [".pb"] + ([".grpc.pb"] if grpc else [])
    stems = [proto[:-len(".proto")] for proto in protos]
    headers = [stem + suffix + ".h" for stem in stems for suffix in suffixes]
    sources = [stem + suffix + ".cc" for stem in stems for suffix in suffixes]
    native.genrule(
        name = name + "_protoc",
        srcs = srcs,
        outs = headers + sources,
        cmd = " ".join(
            ["protoc"] + ["-I" + path for path in [import_path] + imports] + ["--cpp_out=$(RULEDIR)"] +
            (["--grpc_out=$(RULEDIR)", "--plugin=protoc-gen-grpc=$$(command -v grpc_cpp_plugin)"] if grpc else []) +
            protos,
        ),
        message = "Generating C++ for " + name,
    )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        includes = ["."],
        copts = ["-w"],
        deps = deps + ["//third_party/system:protobuf"] + (["//third_party/system:grpc"] if grpc else []),
        **kwargs
    )
