# find_go(SOURCE) sets GO_EXECUTABLE to a Go that builds the module in the folder SOURCE, and
# GO_VERSION to its version.
#
# The newest of the Go installations in the usual places is taken. Debian 12 and Ubuntu
# 22.04 and 24.04 package an older Go than go.mod asks for; that one then fetches the newer
# from the module proxy, checked against Go's checksum database, into the build folder.
# Nothing is fetched where a Go is new enough.

# go_version(GO RESULT) sets RESULT to the version of the program GO, or to "".
function(go_version go result)
  # GOTOOLCHAIN=local: its own version, not that of another that it would fetch.
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GOTOOLCHAIN=local GO111MODULE=off ${go} version
    OUTPUT_VARIABLE line ERROR_QUIET)
  if(line MATCHES "go version go([0-9.]+)")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

# fetch_go(GO VERSION RESULT) has the program GO fetch the given version of Go, and sets
# RESULT to the program fetched, or to "" with a reason in RESULT_WHY.
function(fetch_go go version result)
  set(${result} "" PARENT_SCOPE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/go)
  file(WRITE ${folder}/go.mod "module none\n") # not the module in a folder above
  set(environment GOTOOLCHAIN=local GO111MODULE=on GOWORK=off GOFLAGS=-modcacherw GOMODCACHE=${folder}/mod)
  foreach(name GOOS GOARCH)
    execute_process(COMMAND ${go} env ${name} OUTPUT_VARIABLE ${name} OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  set(module golang.org/toolchain@v0.0.1-go${version}.${GOOS}-${GOARCH})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${environment} ${go} mod download ${module}
    WORKING_DIRECTORY ${folder} ERROR_VARIABLE why RESULT_VARIABLE failed)
  if(failed)
    set(${result}_WHY "${why}" PARENT_SCOPE)
    return()
  endif()
  # What archives of modules cannot hold: programs, and modules within the module.
  set(root ${folder}/mod/${module})
  file(GLOB programs ${root}/bin/* ${root}/pkg/tool/*/*)
  execute_process(COMMAND chmod +x ${programs})
  file(GLOB_RECURSE modules ${root}/_go.mod)
  foreach(file ${modules})
    get_filename_component(parent ${file} DIRECTORY)
    file(RENAME ${file} ${parent}/go.mod)
  endforeach()
  set(${result} ${root}/bin/go PARENT_SCOPE)
endfunction()

macro(find_go source)
  file(STRINGS ${source}/go.mod line REGEX "^go ")
  string(REPLACE "go " "" go_wanted "${line}")
  set(how "Install Go ${go_wanted} or newer (https://go.dev/doc/install) and put it on the PATH, or name it with -DGO_EXECUTABLE=")

  find_program(go_on_path go HINTS ENV GOROOT PATH_SUFFIXES bin)
  file(GLOB go_places /usr/local/go/bin/go /usr/lib/go-*/bin/go /usr/lib64/go/bin/go /snap/bin/go)
  if(GO_EXECUTABLE)
    set(go_candidates ${GO_EXECUTABLE})
  else()
    set(go_candidates ${go_on_path} ${go_places})
  endif()
  set(GO_VERSION 0)
  foreach(candidate ${go_candidates})
    go_version(${candidate} version)
    if(version AND version VERSION_GREATER GO_VERSION)
      set(GO_VERSION ${version})
      set(GO_EXECUTABLE ${candidate})
    endif()
  endforeach()
  if(GO_VERSION VERSION_EQUAL 0)
    message(FATAL_ERROR "Go is missing. ${how}")
  endif()

  if(GO_VERSION VERSION_LESS go_wanted)
    message(STATUS "${GO_EXECUTABLE} is Go ${GO_VERSION}; it fetches ${go_wanted}, which go.mod asks for")
    fetch_go(${GO_EXECUTABLE} ${go_wanted} fetched)
    if(NOT fetched)
      message(FATAL_ERROR "${GO_EXECUTABLE} is Go ${GO_VERSION}, too old, and cannot fetch ${go_wanted}:\n${fetched_WHY}\n${how}")
    endif()
    set(GO_EXECUTABLE ${fetched})
    go_version(${GO_EXECUTABLE} GO_VERSION)
    if(NOT GO_VERSION VERSION_EQUAL go_wanted)
      message(FATAL_ERROR "${GO_EXECUTABLE} does not run. ${how}")
    endif()
  endif()
  message(STATUS "Go ${GO_VERSION} builds it: ${GO_EXECUTABLE}")
endmacro()
